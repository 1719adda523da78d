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

/** Takes away the listeners that an installed app adds to this process from now on. */
function dropErrorListeners(): () => void {
  const names = ["uncaughtException", "unhandledRejection"] as const;
  const before = names.map((name) => process.listenerCount(name));
  return () => {
    names.forEach((name, at) => {
      for (const listener of process.rawListeners(name).slice(before[at])) process.off(name, listener as () => void);
    });
  };
}

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

describe("a page that can't be loaded", () => {
  it("says why, shows its report, and is tried again", async () => {
    const { electron, window } = launched;
    const { webContents } = window;
    const before = electron.dialog.questions.length;
    const loaded = once(webContents, "did-finish-load");
    electron.dialog.presses.push("Show report", "Try again");
    webContents.loadError = { code: -6, description: "ERR_FILE_NOT_FOUND" };
    webContents.reload();
    webContents.loadError = null;
    await loaded;
    const [question] = electron.dialog.questions.slice(before);
    expect(question?.detail).toContain("The reason is: ERR_FILE_NOT_FOUND.");
    expect(await readFile(electron.shell.shown.at(-1) ?? "", "utf8")).toContain("not loaded: ERR_FILE_NOT_FOUND");
    expect(await (await connectPage(launched)).app.info()).toMatchObject({ host: "electron" });
  });
});

describe("a page that does not respond", () => {
  it("is waited for, withdraws its question once it responds, and is loaded again in a new process", async () => {
    const { dialog } = launched.electron;
    const { window } = launched;
    const hang = () => {
      const before = dialog.questions.length;
      window.emit("unresponsive");
      return dialog.questions.slice(before).map(({ message, buttons }) => [message, ...(buttons ?? [])]);
    };
    const question = ["Sheaf's window does not respond.", "Wait", "Load again"];
    expect(hang()).toEqual([question]);
    // It is asked once at a time.
    expect(hang()).toEqual([]);
    window.emit("responsive");
    await new Promise(setImmediate);
    const loaded = once(window.webContents, "did-finish-load");
    dialog.presses.push("Load again");
    expect(hang()).toEqual([question]);
    await loaded;
  });
});

describe("an installed app", () => {
  it("names what goes wrong beside it, and what would be lost, and quits all the same", async () => {
    onTestFinished(dropErrorListeners());
    const run = await launch(["--ephemeral", "--pace=instant"], { packaged: true });
    const { app, clipboard, dialog } = run.electron;
    const { window } = run;

    const graphics = { type: "GPU", reason: "crashed", exitCode: 139 };
    for (let times = 0; times < 4; times++) app.emit("child-process-gone", {}, graphics);
    expect(dialog.questions).toMatchObject([{ message: "Sheaf's graphics process has stopped three times." }]);

    const listener = process.listeners("unhandledRejection").at(-1);
    dialog.presses.push("Copy details");
    for (let times = 0; times < 2; times++) listener?.(new TypeError("the key sk-123 of ada"), Promise.resolve());
    await expect.poll(() => clipboard.text).toContain('"reason": "unhandled rejection: TypeError"');
    expect(clipboard.text).not.toContain("sk-123");
    expect(dialog.questions.slice(1)).toMatchObject([{ message: "Something in Sheaf did not work." }]);

    // A draft in a conflict: the page does not consent.
    const page = await connectPage(run);
    await page.desktop.setUnsaved([{ name: "Reviews", reason: "conflict" }]);
    window.webContents.consents = false;
    window.hide();
    dialog.presses.push("Stay");
    app.quit();
    await expect.poll(() => window.isVisible()).toBe(true);
    expect(dialog.questions.at(-1)).toMatchObject({
      message: "The draft “Reviews” is not saved.",
      buttons: ["Stay", "Quit anyway"],
    });
    expect(app.windows).toEqual([window]);

    // Then the page stops responding. The app asks, and its user quits without the page's consent.
    window.hangs = true;
    dialog.presses.push("Quit anyway");
    const ended = once(app, "quit");
    app.quit();
    await ended;
    expect(dialog.questions.at(-1)?.message).toBe("Sheaf's window does not respond, and so it can't quit.");
    expect(app.exitCode).toBe(0);
    await rm(run.folder, { recursive: true, force: true });
  });
});

describe("an error in the main process that nothing catches", () => {
  it("leaves a report without its message, and starts the app again, once, on the same data", async () => {
    // An AppImage's, or portable, program is in a folder that goes with it; what is not installed takes no links for itself.
    const isWindows = process.platform === "win32";
    vi.stubEnv(isWindows ? "TEMP" : "APPDIR", dirname(process.execPath));
    vi.stubEnv(isWindows ? "PORTABLE_EXECUTABLE_FILE" : "APPIMAGE", "/home/ada/Sheaf.AppImage");
    onTestFinished(() => void vi.unstubAllEnvs());
    onTestFinished(dropErrorListeners());
    const run = await launch(["--ephemeral", "--pace=instant", "/home/ada/secret.csv"], { packaged: true });
    const { app, dialog } = run.electron;
    const listener = process.listeners("uncaughtException").at(-1);
    const ended = once(app, "quit");
    listener?.(new Error("the key sk-123 of ada"), "uncaughtException");
    await ended;
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
