import { once } from "node:events";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { PageCommand, PageRequest } from "#contract";
import { click, findItem } from "./desktop.ts";
import { type HeldModel, startHeldModel } from "./held-model.ts";
import { type Launched, launch } from "./launch.ts";
import { type Client, connectPage, submitTable } from "./page-client.ts";

/** What the built app does with the desktop that it is on: menu, tray, dock, notifications, power, and the page's crashes. */
let launched: Launched;
let client: Client;
let requests: AsyncIterator<PageRequest>;
let model: HeldModel;

async function next(): Promise<PageRequest> {
  const { value, done } = await requests.next();
  if (done) throw new Error("The requests have ended.");
  return value;
}

beforeAll(async () => {
  model = await startHeldModel(2);
  launched = await launch(["--ephemeral", "--pace=instant"]);
  client = await connectPage(launched);
  requests = (await client.desktop.requests())[Symbol.asyncIterator]();
});

afterAll(async () => {
  model.release();
  await launched.quit();
  await model.close();
});

const menu = () => launched.electron.Menu.template;

describe("the menu", () => {
  const commands: PageCommand[] = [
    { id: "new", label: "New batch", menu: "file", keys: null, enabled: true },
    { id: "page settings", label: "Settings", menu: "go", keys: "mod+,", enabled: true },
    { id: "busy", label: "Busy", menu: "view", keys: null, enabled: false },
  ];

  it("has the page's commands with their keys, and hands a click to the page", async () => {
    await client.desktop.setCommands(commands);
    const settings = findItem(menu(), "Settings");
    expect(settings).toMatchObject({ accelerator: "CommandOrControl+,", registerAccelerator: false, enabled: true });
    expect(findItem(menu(), "Busy").enabled).toBe(false);
    click(settings);
    expect(await next()).toEqual({ kind: "run_command", id: "page settings" });
    expect(menu()).toContainEqual({ role: "editMenu" });
  });

  it("takes nothing that is no command", async () => {
    const wrong: unknown = [{ ...commands[0], menu: "evil" }];
    await expect(client.desktop.setCommands(wrong as PageCommand[])).rejects.toThrow();
    expect(findItem(menu(), "New batch")).toBeDefined();
  });

  it("draws the page larger and smaller, also after it was loaded again", async () => {
    const { webContents } = launched.window;
    click(findItem(menu(), "Zoom in"));
    click(findItem(menu(), "Zoom in"));
    webContents.emit("zoom-changed", {}, "out");
    expect(webContents.zoom).toBe(1.1);
    webContents.zoom = 1;
    webContents.emit("did-finish-load");
    expect(webContents.zoom).toBe(1.1);
    click(findItem(menu(), "Actual size"));
    expect(webContents.zoom).toBe(1);
  });

  it("has the tables that were opened last; one that is gone says so and leaves the list", async () => {
    const { app } = launched.electron;
    for (const name of ["a.csv", "b.csv"]) {
      await writeFile(join(launched.folder, name), "id\n1\n");
      app.startAgain([name], launched.folder);
      await next();
    }
    expect(app.recentDocuments).toEqual(["a.csv", "b.csv"].map((name) => join(launched.folder, name)));
    click(findItem(menu(), "a.csv"));
    expect(await next()).toMatchObject({ kind: "open_tables", files: [{ name: "a.csv" }] });
    await rm(join(launched.folder, "b.csv"));
    click(findItem(menu(), "b.csv"));
    expect(await next()).toMatchObject({ kind: "report", title: "b.csv can’t be opened" });
    expect(() => findItem(menu(), "b.csv")).toThrow();
    click(findItem(menu(), "Clear the list"));
    expect(app.recentDocuments).toEqual([]);
    expect(() => findItem(menu(), "a.csv")).toThrow();
  });
});

describe("the frame", () => {
  it("is in the theme that the page has", async () => {
    await client.desktop.setTheme({ theme: "dark" });
    expect(launched.electron.nativeTheme.themeSource).toBe("dark");
  });
});

describe("a batch that runs", () => {
  it("is in the tray and the dock, keeps the computer awake, and is told of once at its end", async () => {
    const { electron, window } = launched;
    const { Tray, app, Notification, powerMonitor, powerSaveBlocker } = electron;
    await writeFile(join(launched.folder, "q.csv"), `question\n${["a", "b", "c", "d"].join("\n")}\n`);
    const connectionId = await model.connect(client);
    const template = { connectionId, model: "any", customId: "{{ row_number }}" };
    const id = await submitTable(client, join(launched.folder, "q.csv"), template);

    await expect.poll(() => Tray.current?.toolTip).toBe("Sheaf: “Example”, 50 %");
    await expect.poll(() => window.progress).toEqual({ value: 0.5, mode: "normal" });
    expect(app.badge).toBe(1);
    expect([...powerSaveBlocker.active.values()]).toEqual(["prevent-app-suspension"]);

    powerMonitor.isOnBattery = true;
    powerMonitor.emit("on-battery");
    expect(powerSaveBlocker.active.size).toBe(0);
    powerMonitor.isOnBattery = false;
    powerMonitor.emit("on-ac");
    expect(powerSaveBlocker.active.size).toBe(1);
    expect(await client.desktop.setPreferences({ keepsAwake: false })).toEqual({ keepsAwake: false });
    expect(powerSaveBlocker.active.size).toBe(0);

    click(findItem(Tray.current?.template ?? [], "Example: 50 %"));
    expect(await next()).toEqual({ kind: "show_batch", id });

    // Once the app was used in the tray, it can be found there: it keeps running without a window on the screen.
    electron.dialog.presses.push("Keep running");
    app.quit();
    await expect.poll(() => window.isVisible()).toBe(false);
    // Hidden, it asks all the same.
    electron.dialog.presses.push("Cancel");
    click(findItem(Tray.current?.template ?? [], "Quit"));
    await expect.poll(() => electron.dialog.presses).toEqual([]);
    click(findItem(Tray.current?.template ?? [], "Show Sheaf"));
    expect(window.isVisible()).toBe(true);

    window.blur();
    powerMonitor.emit("resume");
    model.release();
    await expect
      .poll(() => Notification.shown.map(({ options }) => options))
      .toMatchObject([{ title: "“Example” is done", body: "4 of 4 lines answered." }]);
    // After a sleep what waits is tried again at once, and what is under way is not asked twice.
    expect(model.asked).toHaveLength(4);
    await expect.poll(() => window.progress.value).toBe(-1);
    expect(app.badge).toBe(0);
    await expect.poll(() => Tray.current?.toolTip).toBe("Sheaf");
    Notification.shown[0]?.emit("click");
    expect(await next()).toEqual({ kind: "show_batch", id });
    expect(window.isFocused()).toBe(true);
  });
});

it("is told of two batches that end at the same time in one notification, which leads to the list", async () => {
  const { Notification } = launched.electron;
  const before = Notification.shown.length;
  launched.window.blur();
  const table = join(launched.folder, "q.csv");
  const template = { customId: "{{ row_number }}" };
  await Promise.all([submitTable(client, table, template), submitTable(client, table, template)]);
  await expect
    .poll(() => Notification.shown.slice(before).map(({ options }) => options))
    .toMatchObject([{ title: "News of 2 batches", body: "“Example” is done, “Example” is done." }]);
  Notification.shown.at(-1)?.emit("click");
  expect(await next()).toEqual({ kind: "show_batches" });
});

it("tries again at once after a sleep what waits for a connection", async () => {
  const server = await startHeldModel(Number.POSITIVE_INFINITY);
  onTestFinished(server.close);
  server.isDown = true;
  const run = await launch(["--ephemeral"]);
  const page = await connectPage(run);
  const template = { connectionId: await server.connect(page), model: "any", customId: "{{ row_number }}" };
  await writeFile(join(run.folder, "q.csv"), "question\nWhy?\n");

  // Time passes until it waits, and no further until it is asked.
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const id = await submitTable(page, join(run.folder, "q.csv"), template);
  const read = () => page.batches.get({ id });
  while ((await read()).waiting === null) await vi.advanceTimersByTimeAsync(100);
  server.isDown = false;
  run.electron.powerMonitor.emit("resume");
  await expect.poll(() => server.asked).toEqual(["Why?"]);
  while ((await read()).status !== "completed") await vi.advanceTimersByTimeAsync(100);
  vi.useRealTimers();
  expect(await run.quit()).toBe(0);
});

describe("a page whose process dies", () => {
  it("comes back by itself; the third time in a minute it asks, and so the fourth", async () => {
    const { electron, window, folder } = launched;
    const die = async (loads: boolean) => {
      const loaded = loads ? once(window.webContents, "did-finish-load") : undefined;
      window.webContents.emit("render-process-gone", {}, { reason: "crashed", exitCode: 5 });
      await loaded;
    };
    const before = electron.dialog.questions.length;
    await die(true);
    await die(true);
    expect(electron.dialog.questions).toHaveLength(before);
    await die(true);
    await die(true);
    expect(electron.dialog.questions.slice(before)).toMatchObject([
      { buttons: ["Load again", "Close window"] },
      { buttons: ["Load again", "Close window"] },
    ]);
    expect(await (await connectPage(launched)).app.info()).toMatchObject({ host: "electron" });

    const crashes = join(electron.app.getPath("userData"), "crashes");
    const [name = ""] = await readdir(crashes);
    const report = JSON.parse(await readFile(join(crashes, name), "utf8"));
    expect(report).toMatchObject({ process: "page", reason: "crashed", exitCode: 5, frames: [] });
    expect(JSON.stringify(report)).not.toContain(folder);
  });
});

describe("an error in the main process that nothing catches", () => {
  it("leaves a report without its message, and starts the app again, once, on the same data", async () => {
    // An AppImage's, or portable, program is in a folder that goes with it; what is not installed takes no links for itself.
    const isWindows = process.platform === "win32";
    vi.stubEnv(isWindows ? "TEMP" : "APPDIR", dirname(process.execPath));
    vi.stubEnv(isWindows ? "PORTABLE_EXECUTABLE_FILE" : "APPIMAGE", "/home/ada/Sheaf.AppImage");
    onTestFinished(() => void vi.unstubAllEnvs());
    const run = await launch(["--ephemeral", "--pace=instant", "/home/ada/secret.csv"], { packaged: true });
    const { app, dialog } = run.electron;
    const listener = process.listeners("uncaughtException").at(-1);
    const ended = once(app, "quit");
    listener?.(new Error("the key sk-123 of ada"), "uncaughtException");
    await ended;
    if (listener !== undefined) process.off("uncaughtException", listener);
    expect(app.exitCode).toBe(1);
    expect(app.relaunchArgs).toEqual(["--ephemeral", "--pace=instant", "--relaunched"]);
    expect([app.relaunchPath, app.ownedSchemes]).toEqual(["/home/ada/Sheaf.AppImage", []]);
    expect(dialog.errors).toEqual([]);
    await rm(run.folder, { recursive: true, force: true });

    const again = await launch(["--ephemeral", "--pace=instant", "--relaunched"], { packaged: true });
    const second = process.listeners("uncaughtException").at(-1);
    const endedAgain = once(again.electron.app, "quit");
    second?.(new Error("once more"), "uncaughtException");
    await endedAgain;
    if (second !== undefined) process.off("uncaughtException", second);
    expect(again.electron.app.relaunchArgs).toBeNull();
    expect(again.electron.dialog.errors).toEqual([expect.stringContaining("Your batches and drafts are kept.")]);
    await rm(again.folder, { recursive: true, force: true });
  });
});

it.each(["tray", "notifications"] as const)("works as well on a desktop without %s", async (lacks) => {
  const run = await launch(["--ephemeral", "--pace=instant"], { lacks });
  run.window.blur();
  const own = await connectPage(run);
  await writeFile(join(run.folder, "q.csv"), "question\na\n");
  const id = await submitTable(own, join(run.folder, "q.csv"), { customId: "{{ row_number }}" });
  await expect.poll(async () => (await own.batches.get({ id })).status).toBe("completed");
  expect(await run.quit()).toBe(0);
});
