import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ElectronApplication, expect, type Page, test } from "@playwright/test";
import { BuildPage } from "../../pages/build-page.ts";
import { startAgain, startDesktopApp, whyNotHere } from "./desktop-app.ts";

const reason = whyNotHere();

/** What the system does with the real app: its menu, files and links that it opens, and its end. */
test.describe("the desktop app and the system", () => {
  test.skip(reason !== undefined && process.env.REQUIRE_ELECTRON !== "1", reason);

  let folder: string;
  let own: string[];
  let table: string;
  let app: ElectronApplication;
  let page: Page;

  async function start(...args: string[]): Promise<void> {
    app = await startDesktopApp([...own, ...args]);
    page = await app.firstWindow();
    await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();
  }

  /** Presses this button in each question from now on. */
  const press = (label: string) =>
    app.evaluate(({ dialog }, wanted) => {
      dialog.showMessageBox = async (...given: unknown[]) => {
        const { buttons = [] } = given.at(-1) as { buttons?: string[] };
        return { response: buttons.indexOf(wanted), checkboxChecked: false };
      };
    }, label);

  test.beforeEach(async () => {
    expect(reason, "REQUIRE_ELECTRON=1 is set").toBeUndefined();
    folder = await mkdtemp(join(tmpdir(), "sheaf-electron-"));
    own = ["--data-dir", join(folder, "data"), "--secrets=memory"];
    table = join(folder, "reviews.csv");
    await writeFile(table, `review\n${"Good value.\n".repeat(200)}`);
  });

  test.afterEach(async () => {
    await app?.evaluate(({ app }) => app.exit()).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  });

  test("the menu has the palette's commands, and does them", async () => {
    await start();
    const chosen = await app.evaluate(({ Menu }) => {
      const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
      const settings = items.find(({ label }) => label === "Settings");
      settings?.click();
      return { labels: items.map(({ label }) => label), accelerator: settings?.accelerator };
    });
    expect(chosen.labels).toEqual(expect.arrayContaining(["New batch", "Home", "Dark theme", "Zoom in"]));
    expect(chosen.accelerator).toBe("CommandOrControl+,");
    await expect(page).toHaveURL(/\/settings$/);
  });

  test("opens with a file", async () => {
    await start(table);
    await expect(new BuildPage(page).source).toContainText("reviews.csv");
  });

  test("a second start with a file hands it over, and ends", async () => {
    await start();
    await startAgain([...own, table]);
    await expect(new BuildPage(page).source).toContainText("reviews.csv");
    expect(app.windows()).toHaveLength(1);
  });

  test("a link says that its batch is not here, and a forged one that it can't be opened", async () => {
    await start();
    // Of a second start flags are ignored next to a link: that would be on the user's own data.
    await app.evaluate(({ app }) =>
      app.emit("open-url", { preventDefault: () => {} }, "sheaf://batch/batch_elsewhere"),
    );
    await expect(page.getByText("This batch is not here")).toBeVisible();
    await app.evaluate(({ app }) => app.emit("open-url", { preventDefault: () => {} }, "sheaf://app/settings?x=1"));
    await expect(page.getByText("This link can’t be opened")).toBeVisible();
  });

  test("quitting while a batch runs asks: it goes on minimized, or ends", async () => {
    await start("--pace=60000", table);
    const build = new BuildPage(page);
    await build.write("User", "Is this good? {{ review }}");
    await build.submit();
    await press("Keep running");
    await app.evaluate(({ app }) => app.quit());
    await expect
      .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized()))
      .toBe(true);
    await press("Quit");
    const closed = app.waitForEvent("close");
    // The calls that are under way take a minute: they are not waited for.
    await app.evaluate(({ app, powerMonitor }) => {
      app.quit();
      powerMonitor.emit("shutdown");
    });
    await closed;
  });
});
