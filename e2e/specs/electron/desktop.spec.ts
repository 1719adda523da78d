import { type ElectronApplication, expect, type Page, test } from "@playwright/test";
import { startDesktopApp, whyNotHere } from "./desktop-app.ts";

const reason = whyNotHere();
const skipped = reason !== undefined && process.env.REQUIRE_ELECTRON !== "1";

// Once: the workers evaluate this file too, and the list of tests has no room for reasons.
if (skipped && process.env.TEST_WORKER_INDEX === undefined) console.log(`Skipping the desktop app: ${reason}`);

test.describe("the desktop app", () => {
  test.skip(skipped, reason);

  let app: ElectronApplication;
  let page: Page;

  test.beforeEach(async () => {
    expect(reason, "REQUIRE_ELECTRON=1 is set").toBeUndefined();
    app = await startDesktopApp();
    page = await app.firstWindow();
  });

  test.afterEach(async () => {
    await app?.close();
  });

  test("opens one window with the app's page, connected to its service", async () => {
    await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();
    expect(page.url()).toMatch(/^sheaf:\/\/app\//);
    expect(app.windows()).toHaveLength(1);
    const info = await app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      return { visible: window?.isVisible(), minimum: window?.getMinimumSize() };
    });
    expect(info).toEqual({ visible: true, minimum: [900, 600] });
  });

  test("gives the page nothing of Node or Electron", async () => {
    const found = await page.evaluate(() =>
      ["require", "process", "module", "electron", "ipcRenderer", "Buffer"].filter((name) => name in window),
    );
    expect(found).toEqual([]);
  });

  test("runs no code that did not come with the app", async () => {
    const ran = await page.evaluate(async () => {
      const script = document.createElement("script");
      script.textContent = "window.intruder = true";
      document.head.append(script);
      return "intruder" in window;
    });
    expect(ran).toBe(false);
  });

  test("stays on its page and opens no other window", async () => {
    const opened = await page.evaluate(() => window.open("https://example.com/") !== null);
    expect(opened).toBe(false);
    await page.evaluate(() => {
      location.href = "https://example.com/";
    });
    await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();
    expect(page.url()).toMatch(/^sheaf:\/\/app\//);
    expect(app.windows()).toHaveLength(1);
  });

  test("is connected again after the page was loaded anew", async () => {
    await page.reload();
    await page.getByRole("link", { name: "Batches" }).click();
    await expect(page).toHaveURL(/^sheaf:\/\/app\/batches/);
    await expect(page.getByRole("main", { name: "Batches" })).toBeVisible();
  });
});
