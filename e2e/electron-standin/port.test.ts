import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { channels } from "#contract";
import { type Launched, launch } from "./launch.ts";
import { askForPort, createClient, runExample, untilClosed } from "./page-client.ts";
import { type MainEvent, WebContentsStandIn, WebFrameMainStandIn } from "./web-contents.ts";

/** The built main process and preload, run under plain Node with the stand-in in Electron's place. */
let launched: Launched;

beforeAll(async () => {
  launched = await launch(["--ephemeral", "--pace=instant"]);
});

/** The page of the window. */
function currentPage() {
  const { page } = launched.window.webContents;
  if (page === null) throw new Error("The window shows no page.");
  return page.window;
}

describe("the handshake", () => {
  /** Sends the request for a port as from somewhere; the answer counts what comes back. */
  function connectAs(origin: string, change: Partial<MainEvent> & { inFrame?: boolean } = {}) {
    const { webContents } = launched.window;
    const answers: unknown[] = [];
    const parent = change.inFrame ? webContents.mainFrame : null;
    const senderFrame = new WebFrameMainStandIn(`${origin}/`, origin, parent, (...answer) => answers.push(answer));
    const event = { sender: webContents, senderFrame, ...change };
    launched.electron.ipcMain.emit(channels.connect, event);
    return answers;
  }

  it("gives a page one port, and its next load another", async () => {
    const first = await askForPort(currentPage());
    const closed = untilClosed(first);
    createClient(first);
    await launched.window.loadURL("sheaf://app/batches");
    const second = await askForPort(currentPage());
    await closed;
    expect(await createClient(second).app.info()).toMatchObject({ host: "electron", version: "0.1.0" });
  });

  it("answers only the main frame of its own window on its own page", async () => {
    const stranger = new WebContentsStandIn({ fetch: () => Promise.reject(), deliver: () => {} }, "");
    const refused = [
      connectAs("https://example.com"),
      connectAs("null"),
      connectAs("sheaf://elsewhere"),
      connectAs("sheaf://app", { inFrame: true }),
      connectAs("sheaf://app", { sender: stranger }),
      connectAs("sheaf://app", { senderFrame: null }),
    ];
    const allowed = connectAs("sheaf://app");
    // An answer takes a turn: once the last question, which is allowed, has its own, the others had theirs.
    await expect.poll(() => allowed).toHaveLength(1);
    for (const answers of refused) expect(answers).toEqual([]);
  });

  it("listens only to the page itself", async () => {
    const page = currentPage();
    const requests: unknown[] = [];
    launched.electron.ipcMain.on(channels.connect, (event) => requests.push(event));
    const { origin } = page.location;
    page.dispatch({ data: channels.pageReady, origin: "https://example.com", source: page, ports: [] });
    page.dispatch({ data: channels.pageReady, origin, source: {}, ports: [] });
    page.dispatch({ data: "something else", origin, source: page, ports: [] });
    await askForPort(page);
    expect(requests).toHaveLength(1);
  });
});

describe("a batch over the page's port", () => {
  it("goes from a dropped file to its answers, and into a file of the user's choice", async () => {
    const client = createClient(await askForPort(currentPage()));
    const { batch, ids } = await runExample(client);
    expect(batch).toMatchObject({ status: "completed", counts: { total: 200, completed: 200, failed: 0 } });

    const { total, rows } = await client.results.page({ batchId: batch.id, offset: 0, limit: 200 });
    expect(total).toBe(200);
    expect(rows.map(({ customId }) => customId)).toEqual(ids);
    expect(rows.every(({ state, answer }) => state === "answered" && answer !== "")).toBe(true);

    const path = join(launched.folder, "answers.jsonl");
    launched.electron.dialog.savePath = path;
    const outcome = await client.exports.begin({ what: "results", batchId: batch.id });
    expect(outcome).toEqual({ how: "saved", id: expect.any(String), path, lines: 200 });
    await client.exports.showInFolder({ id: outcome.how === "saved" ? outcome.id : "" });
    expect(launched.electron.shell.shown).toEqual([path]);
    await expect(client.exports.showInFolder({ id: path })).rejects.toThrow("not known any more");
    expect(launched.electron.dialog.asked).toMatchObject([
      { defaultPath: join(launched.folder, "downloads", "Example-results.jsonl") },
    ]);
    expect((await readFile(path, "utf8")).trimEnd().split("\n")).toHaveLength(200);

    launched.electron.dialog.savePath = null;
    expect(await client.exports.begin({ what: "results", batchId: batch.id })).toEqual({ how: "cancelled" });
  });
});

describe("verifying over the page's port", () => {
  it("judges one response, and the answers of a whole batch with a column as the document", async () => {
    const client = createClient(await askForPort(currentPage()));
    const byRules = { judge: "rules", model: null, preset: "general" } as const;
    const { result } = await client.verifications.verifyResponse({
      prompt: "?",
      response: "2 + 2 = 5.",
      document: null,
      ...byRules,
    });
    expect(result.is_hallucination).toBe(true);

    const { batch } = await runExample(client);
    const changes = await client.verifications.watch();
    const document = { from: "column", column: "question" } as const;
    await client.verifications.start({ batchId: batch.id, choice: byRules, document });
    for await (const run of changes) {
      if (run.state === "running") continue;
      expect(run).toMatchObject({ state: "done", done: 200, document });
      break;
    }
  });
});

describe("the end", () => {
  it("comes when the work is on disk, and an ephemeral run leaves nothing behind", async () => {
    const profile = launched.electron.app.getPath("userData");
    const port = await askForPort(currentPage());
    port.start();
    const closed = untilClosed(port);
    expect(await launched.quit()).toBe(0);
    await closed;
    expect(existsSync(dirname(profile))).toBe(false);
  });
});
