import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exampleNameSchema } from "#contract";
import { builtApp, type Launched, launch } from "./launch.ts";
import { askForPort, type Client, createClient, runExample, uploadSource } from "./page-client.ts";

/** What the app takes from its own folder: examples, the table of tokens, threads, and modules that are loaded on demand. */
let launched: Launched;
let client: Client;
/** What is in that folder before, and when it was written. */
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
  const { page } = launched.window.webContents;
  if (page === null) throw new Error("The window shows no page.");
  client = createClient(await askForPort(page.window));
});

afterAll(async () => {
  await launched.quit();
});

it("opens each example", async () => {
  for (const name of exampleNameSchema.options) {
    expect(await client.sources.example({ name })).toMatchObject({ rowCount: 200 });
  }
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

it("writes the answers of a batch as a workbook and as Parquet, reads both again, and searches in them", async () => {
  const { batch, ids } = await runExample(client);
  for (const format of ["xlsx", "parquet"] as const) {
    const path = join(launched.folder, `answers.${format}`);
    launched.electron.dialog.savePath = path;
    expect(await client.exports.begin({ what: "results", batchId: batch.id, format })).toMatchObject({ how: "saved" });
    expect((await readFile(path)).length).toBeGreaterThan(10_000);
    const { id, rowCount } = await uploadSource(client, path);
    const { rows } = await client.sources.rows({ id, offset: 0, limit: 200 });
    expect([rowCount, rows.map(({ cells }) => cells.custom_id)]).toEqual([200, ids]);
  }
  const found = await Array.fromAsync(await client.results.search({ batchId: batch.id, text: "the" }));
  expect(found.at(-1)).toMatchObject({ isDone: true });
  expect(found.at(-1)?.hits).toBeGreaterThan(10);
});

it("writes nothing there: the folder may be read-only, as an installed one is", async () => {
  expect(await listOwnFiles()).toEqual(before);
});
