import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "@playwright/test";
import type { OpenedFile, PageCommand } from "#contract";
import { createSilentLogger } from "#main/base";
import { type AppFixture, connectPort, openApp, type RpcClient } from "../../../src/main/app/testing/app-fixture.ts";
import { findOwnFile } from "../../../src/main/app-paths.ts";
import { createPageRequests, type PageRequests } from "../../../src/main/desktop/page-requests.ts";
import { fileOf, upload } from "../../../src/main/service/testing/index.ts";
import { startWebHost, type WebHost } from "../../../src/main/web/web-host.ts";
import { expectOpen } from "../../fixtures/expect-open.ts";
import { BuildPage } from "../../pages/build-page.ts";

/** The page does what the desktop app asks of it: in a browser, whose host asks in Electron's place. */
interface Desktop {
  readonly app: AppFixture;
  readonly requests: PageRequests;
  readonly client: RpcClient;
  /** What the page has set of the menu, and chosen of the shell. */
  readonly menu: readonly PageCommand[][];
  readonly chosen: { readonly theme: string; readonly keepsAwake: boolean };
  readonly host: WebHost;
  /** Files as if the system had opened them. */
  open(...files: { name: string; content: string }[]): Promise<OpenedFile[]>;
}

async function startDesktop(): Promise<Desktop> {
  const requests = createPageRequests();
  const paths = new Map<string, string>();
  const findOpened = (id: string) => {
    const path = paths.get(id) ?? "";
    return { path, name: basename(path) };
  };
  const menu: PageCommand[][] = [];
  const chosen = { theme: "", keepsAwake: true };
  const shell = {
    setCommands: (commands: readonly PageCommand[]) => void menu.push([...commands]),
    setTheme: (theme: string) => void Object.assign(chosen, { theme }),
    setUnsaved: () => undefined,
    preferences: () => ({ keepsAwake: chosen.keepsAwake }),
    setPreferences: (next: { keepsAwake: boolean }) => void Object.assign(chosen, next),
  };
  const app = await openApp({
    host: { kind: "electron", desktop: { ...shell, takeRequests: requests.take, findOpened } },
  });
  const host = await startWebHost({
    app: app.app,
    rendererFolder: findOwnFile("out/renderer"),
    port: 0,
    clock: app.clock,
    logger: createSilentLogger(),
  });
  async function open(...files: { name: string; content: string }[]): Promise<OpenedFile[]> {
    return Promise.all(
      files.map(async ({ name, content }) => {
        const path = join(app.dataDir, name);
        await writeFile(path, content);
        paths.set(name, path);
        return { id: name, name, bytes: content.length };
      }),
    );
  }
  return { app, requests, client: connectPort(app.app).client, menu, chosen, host, open };
}

const desktopTest = test.extend<{ desktop: Desktop; build: BuildPage }>({
  desktop: async ({ browserName: _ }, use) => {
    const desktop = await startDesktop();
    await use(desktop);
    await desktop.host.close();
    await desktop.app.close();
  },
  build: async ({ page, desktop }, use) => {
    await page.goto(desktop.host.freshAddress());
    await expectOpen(page);
    await use(new BuildPage(page));
  },
});

desktopTest("opened files become drafts of their own, and the open draft stays", async ({ page, desktop, build }) => {
  await build.open();
  await build.write("User", "Half a sentence");
  const before = page.url();

  const files = await desktop.open(
    { name: "a.csv", content: "question\nWhy?\nHow?\n" },
    { name: "b.jsonl", content: '{"review":"Fine"}\n' },
  );
  desktop.requests.add({ kind: "open_tables", files });
  await expect(page.getByText("2 files were opened, each in a draft of its own.")).toBeVisible();
  await build.show("Source");
  await expect(build.source).toContainText("a.csv");
  await expect(build.source).toContainText("Why?");
  expect(page.url()).not.toBe(before);

  await page.goto(before);
  await expect(build.prompt.getByRole("textbox", { name: "User" })).toContainText("Half a sentence");
  expect(await desktop.client.drafts.list()).toHaveLength(3);
  expect(desktop.app.service.batches.list({ limit: 10 }).batches).toEqual([]);
});

desktopTest("what can't be opened says why", async ({ page, desktop, build }) => {
  desktop.requests.add({ kind: "report", title: "gone.csv can’t be opened", message: "It is no longer there." });
  await expect(page.getByText("gone.csv can’t be opened")).toBeVisible();

  desktop.requests.add({ kind: "open_tables", files: await desktop.open({ name: "empty.csv", content: "" }) });
  await expect(page.getByText("It is empty. Choose a file with at least one row.")).toBeVisible();

  const broken = await desktop.open({ name: "broken.xlsx", content: "PK\u0003\u0004 and no workbook" });
  desktop.requests.add({ kind: "open_tables", files: broken });
  await build.show("Source");
  await expect(build.source).toContainText("broken.xlsx could not be read");
});

desktopTest("links show a batch or a file that is here, and say so of others", async ({ page, desktop, build }) => {
  await build.open();
  desktop.requests.add({ kind: "show_batch", id: "batch_elsewhere" });
  await expect(page.getByText("This batch is not here")).toBeVisible();
  desktop.requests.add({ kind: "show_file", id: "file-elsewhere" });
  await expect(page.getByText("This file is not here")).toBeVisible();
  await expect(build.prompt).toBeVisible();

  const { files, batches } = desktop.app.service;
  const { id } = await upload(files, fileOf(2));
  desktop.requests.add({ kind: "show_file", id });
  await expect(page).toHaveURL(new RegExp(`/files\\?file=${id}`));
  const window = { endpoint: "/v1/chat/completions", completionWindow: "24h" } as const;
  const batch = await batches.create({ inputFileId: id, ...window });
  desktop.requests.add({ kind: "show_batch", id: batch.id });
  await expect(page).toHaveURL(new RegExp(`/batches/${batch.id}`));
});

desktopTest("the menu has every command of the palette, and does it", async ({ page, desktop, build: _ }) => {
  await expect.poll(() => desktop.menu.at(-1)?.filter(({ enabled }) => enabled).length).toBe(15);
  await page.keyboard.press("ControlOrMeta+k");
  const palette = page.getByRole("dialog", { name: "Commands" });
  for (const { label } of desktop.menu.at(-1) ?? [])
    await expect(palette.getByText(label, { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");

  desktop.requests.add({ kind: "run_command", id: "page settings" });
  const awake = page.getByRole("switch", { name: "Keep this computer awake while Sheaf asks lines" });
  await expect(awake).toBeChecked();
  await awake.click({ force: true });
  await expect.poll(() => desktop.chosen.keepsAwake).toBe(false);
  desktop.requests.add({ kind: "run_command", id: "dark" });
  await expect.poll(() => desktop.chosen.theme).toBe("dark");
});
