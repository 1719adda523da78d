import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type HeldModel, startHeldModel } from "./held-model.ts";
import { type Launched, launch } from "./launch.ts";
import { type Client, connectPage, submitTable } from "./page-client.ts";

/** The end of the built app while a batch runs: 50 of 500 lines are answered, and 8 calls are under way. */
let dataDir: string;
let model: HeldModel;
const prompts = Array.from({ length: 500 }, (_, at) => `Question ${at + 1}`);

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "sheaf-data-"));
  await writeFile(join(dataDir, "questions.csv"), `question\n${prompts.join("\n")}\n`);
  model = await startHeldModel(50);
});

afterEach(async () => {
  await model.close();
  await rm(dataDir, { recursive: true, force: true });
});

const start = () => launch(["--data-dir", join(dataDir, "data"), "--secrets=memory"]);

async function submit(client: Client): Promise<string> {
  const connectionId = await model.connect(client);
  const template = { connectionId, model: "any", customId: "{{ row_number }}" };
  const id = await submitTable(client, join(dataDir, "questions.csv"), template);
  await expect.poll(() => model.asked.length).toBe(58);
  await expect.poll(async () => (await client.batches.get({ id })).counts.completed).toBe(50);
  return id;
}

/** Starts again, and has the rest answered. */
async function finish(id: string): Promise<void> {
  const after = await start();
  const client = await connectPage(after);
  model.release();
  await expect.poll(async () => (await client.batches.get({ id })).status).toBe("completed");
  expect((await client.batches.get({ id })).counts).toMatchObject({ total: 500, completed: 500, failed: 0 });
  await after.quit();
}

async function begin(): Promise<Launched & { readonly id: string }> {
  const launched = await start();
  return { ...launched, id: await submit(await connectPage(launched)) };
}

it("goes on in a minimized window, and ends once what is under way is answered: no line is asked twice", async () => {
  const { electron, window, id } = await begin();
  const { app, dialog } = electron;
  dialog.presses.push("Keep running", "Cancel", "Quit");
  app.quit();
  await expect.poll(() => window.isMinimized()).toBe(true);
  app.startAgain();
  expect(window.isMinimized()).toBe(false);
  window.close();
  await expect.poll(() => dialog.questions.length).toBe(2);
  expect(dialog.questions[1]).toMatchObject({
    message: "“Example” is running, with 50 of 500 lines done.",
    detail: "Keep Sheaf running in a minimized window, or quit: it goes on at the next start.",
    buttons: ["Keep running", "Quit", "Cancel"],
  });
  // The answer to that question is not there at once.
  await expect.poll(() => dialog.presses).toEqual(["Quit"]);
  await new Promise(setImmediate);
  expect(app.windows).toEqual([window]);

  const ended = once(app, "quit");
  app.quit();
  await expect
    .poll(() => dialog.questions.at(-1))
    .toMatchObject({
      message: "Sheaf is closing.",
      detail: expect.stringMatching(
        /^It waits up to \d+ s for answers to requests of “Example” that are already sent\./,
      ),
      buttons: ["Wait", "Quit now"],
    });
  expect(model.asked).toHaveLength(58);
  model.release();
  await ended;
  expect(model.asked).toHaveLength(58);
  await finish(id);
  expect(model.asked.toSorted()).toEqual(prompts.toSorted());
});

it("asks again about a page that can't be loaded when its user stays after all; one that dies while it ends is not brought back", async () => {
  const { electron, window } = await begin();
  const { app, dialog } = electron;
  const { webContents } = window;
  const before = dialog.questions.length;
  dialog.presses.push("Quit", "Cancel", "Quit", "Keep running");
  webContents.loadError = { code: -6, description: "ERR_FILE_NOT_FOUND" };
  webContents.reload();
  await expect.poll(() => window.isMinimized()).toBe(true);
  const [failed, running] = ["Sheaf's window could not be loaded.", "“Example” is running, with 50 of 500 lines done."];
  const messages = () => dialog.questions.slice(before).map(({ message }) => message);
  expect(messages()).toEqual([failed, running, failed, running]);

  webContents.loadError = null;
  const loaded = once(webContents, "did-finish-load");
  app.startAgain();
  await loaded;
  expect(messages()).toEqual([failed, running, failed, running, failed]);
  window.hangs = true;
  dialog.presses.push("Quit");
  app.quit();
  await expect.poll(() => dialog.questions.at(-1)?.message).toContain("it can't quit");
  dialog.presses.push("Quit now");
  const ended = once(app, "quit");
  webContents.emit("render-process-gone", {}, { reason: "crashed", exitCode: 5 });
  await ended;
  expect(app.exitCode).toBe(0);
});

it("ends at once with Quit now, also of a second start: only the calls that were under way are asked again", async () => {
  const { electron, id } = await begin();
  const { app, dialog } = electron;
  dialog.presses.push("Quit");
  const ended = once(app, "quit");
  app.quit();
  await expect.poll(() => dialog.questions.at(-1)?.message).toBe("Sheaf is closing.");
  const before = dialog.questions.length;
  app.startAgain();
  app.startAgain(["late.csv"]);
  expect(app.windows).toEqual([]);
  expect(dialog.questions.slice(before)).toMatchObject([
    { detail: expect.stringContaining("Start Sheaf again once it has closed") },
    { detail: expect.stringContaining("Start Sheaf again once it has closed") },
  ]);
  dialog.presses.push("Quit now");
  app.startAgain();
  await ended;
  expect(app.exitCode).toBe(0);
  await finish(id);
  expect(new Set(model.asked).size).toBe(500);
  expect(model.asked).toHaveLength(508);
});

describe("when the system shuts down", () => {
  /** Stops the app's time; `waits` are those that it began since. */
  function stopTime() {
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
    const spy = vi.spyOn(globalThis, "setTimeout");
    /** The spy goes first: it would bring the stopped time back. */
    const goOn = () => {
      spy.mockRestore();
      vi.useRealTimers();
    };
    onTestFinished(goOn);
    return { waits: () => spy.mock.calls.map(([, milliseconds]) => milliseconds), goOn };
  }

  it("asks nothing, and waits two seconds for what is under way: that alone is asked again", async () => {
    const { electron, window, id } = await begin();
    window.emit("query-session-end");
    expect(electron.app.windows).toEqual([window]);
    const ended = once(electron.app, "quit");
    const { waits, goOn } = stopTime();
    electron.powerMonitor.emit("shutdown", { preventDefault: () => {} });
    await expect.poll(waits).toContain(2_000);
    // The end comes then in any case.
    expect(waits()).toContain(3_000);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(electron.app.exitCode).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    await ended;
    goOn();
    expect(electron.dialog.questions).toEqual([]);
    await finish(id);
    expect(model.asked).toHaveLength(508);
  });

  it("does not wait any more when that is said again, as Windows does", async () => {
    const { electron, window } = await begin();
    const ended = once(electron.app, "quit");
    const { waits } = stopTime();
    electron.powerMonitor.emit("shutdown", { preventDefault: () => {} });
    await expect.poll(waits).toContain(2_000);
    window.emit("session-end");
    await ended;
    // The disk has a limit then, too.
    expect(waits()).toContain(5_000);
    expect(electron.app.exitCode).toBe(0);
  });
});
