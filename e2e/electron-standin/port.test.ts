import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { channels, exampleNameSchema } from "#contract";
import { builtApp, type Launched, launch } from "./launch.ts";
import {
  askForPort,
  type Client,
  connectPage,
  createClient,
  runExample,
  untilClosed,
  uploadSource,
} from "./page-client.ts";
import { type MainEvent, WebContentsStandIn, WebFrameMainStandIn } from "./web-contents.ts";

/** The built main process and preload, run under plain Node with the stand-in in Electron's place. */
let launched: Launched;

/** What is in the app's own folder before, and when it was written. */
let before: readonly string[];

async function listOwnFiles(): Promise<readonly string[]> {
  const folders = ["out/main", "out/preload", "out/renderer", "examples"].map((name) => join(builtApp, name));
  const paths = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder, { recursive: true });
      return [folder, ...names.map((name) => join(folder, name))];
    }),
  );
  return await Promise.all(paths.flat().map(async (path) => `${path} ${(await stat(path)).mtimeMs}`));
}

beforeAll(async () => {
  before = await listOwnFiles();
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
  let client: Client;
  let batchId: string;
  let ids: readonly string[];
  beforeAll(async () => {
    client = await connectPage(launched);
    const ran = await runExample(client);
    ids = ran.ids;
    batchId = ran.batch.id;
    expect(ran.batch).toMatchObject({ status: "completed", counts: { total: 200, completed: 200, failed: 0 } });
  });

  it("goes from a dropped file to its answers, and into a file of the user's choice", async () => {
    const { dialog, shell } = launched.electron;
    const { rows } = await client.results.page({ batchId, offset: 0, limit: 200 });
    expect(rows.map(({ customId }) => customId)).toEqual(ids);
    expect(rows.every(({ state, answer }) => state === "answered" && answer !== "")).toBe(true);

    const path = join(launched.folder, "answers.jsonl");
    dialog.savePath = path;
    const outcome = await client.exports.begin({ what: "results", batchId });
    expect(outcome).toEqual({ how: "saved", id: expect.any(String), path, lines: 200 });
    await client.exports.showInFolder({ id: outcome.how === "saved" ? outcome.id : "" });
    expect(shell.shown).toEqual([path]);
    await expect(client.exports.showInFolder({ id: path })).rejects.toThrow("not known any more");
    expect(dialog.asked).toMatchObject([{ defaultPath: join(launched.folder, "downloads", "Example-results.jsonl") }]);
    expect((await readFile(path, "utf8")).trimEnd().split("\n")).toHaveLength(200);
    dialog.savePath = null;
    expect(await client.exports.begin({ what: "results", batchId })).toEqual({ how: "cancelled" });
  });

  it("is verified whole, with a column as the document", async () => {
    const changes = await client.verifications.watch();
    const document = { from: "column", column: "question" } as const;
    const choice = { judge: "rules", model: null, preset: "general" } as const;
    await client.verifications.start({ batchId, choice, document });
    for await (const run of changes) {
      if (run.state === "running") continue;
      expect(run).toMatchObject({ state: "done", done: 200, document });
      break;
    }
  });

  it("is written as a workbook and as Parquet, which are read again, and is searched", async () => {
    for (const format of ["xlsx", "parquet"] as const) {
      const path = join(launched.folder, `answers.${format}`);
      launched.electron.dialog.savePath = path;
      expect(await client.exports.begin({ what: "results", batchId, format })).toMatchObject({ how: "saved" });
      const { id, rowCount } = await uploadSource(client, path);
      const { rows } = await client.sources.rows({ id, offset: 0, limit: 200 });
      expect([rowCount, rows.map(({ cells }) => cells.custom_id)]).toEqual([200, ids]);
    }
    const found = await Array.fromAsync(await client.results.search({ batchId, text: "the" }));
    expect(found.at(-1)).toMatchObject({ isDone: true });
    expect(found.at(-1)?.hits).toBeGreaterThan(10);
  });

  it("counts the tokens of each prompt", async () => {
    const { id: sourceId } = await client.sources.example({ name: "gsm8k-200" });
    const [model] = await client.app.models();
    const template = {
      messages: [{ role: "user" as const, content: "{{ question }}" }],
      model: model?.id ?? "",
      temperature: null,
      maxCompletionTokens: null,
      customId: "{{ id }}",
    };
    const checks = await Array.fromAsync(await client.build.check({ sourceId, template }));
    expect(checks.at(-1)).toMatchObject({ finished: true, tokensExact: true, requests: 200, errorCount: 0 });
    expect(checks.at(-1)?.promptTokens).toBeGreaterThan(10_000);
  });

  it("answers by a JSON schema", async () => {
    const schema =
      '{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"],"additionalProperties":false}';
    const { batch } = await runExample(client, {
      answerFormat: { type: "json_schema", name: "sum", schema, strict: true },
    });
    const { rows } = await client.results.page({ batchId: batch.id, offset: 0, limit: 200 });
    expect(rows.map(({ answer }) => Number.isInteger(JSON.parse(answer).sum))).toEqual(rows.map(() => true));
  });
});

describe("its own folder", () => {
  it("has each example", async () => {
    const client = await connectPage(launched);
    for (const name of exampleNameSchema.options)
      expect(await client.sources.example({ name })).toMatchObject({ rowCount: 200 });
  });

  it("gets nothing written into it: it may be read-only, as an installed one is", async () => {
    expect(await listOwnFiles()).toEqual(before);
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
