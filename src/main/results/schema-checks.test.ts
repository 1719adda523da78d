import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { createFakeMachine, makeBatchRecord, makeTempDir } from "../service/testing/index.ts";
import { findBrokenAnswers } from "./broken-answers.ts";
import { listKnownLines } from "./known-lines.ts";
import { createLineIndex } from "./line-index.ts";
import { createSchemaChecks } from "./schema-checks.ts";

const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const fitting = '{"n":1}';

function requestOf(at: number): string {
  const asChat = { response_format: { type: "json_schema", json_schema: { name: "n", schema } } };
  const asResponse = { text: { format: { type: "json_schema", name: "n", schema } } };
  const formats = [asChat, asResponse, {}];
  return JSON.stringify({ custom_id: `q-${at}`, body: { model: "m", ...formats[at % 3] } });
}

function answerOf(at: number, content: string | null, calls?: object[]): string {
  const choices = [{ index: 0, message: { role: "assistant", content, tool_calls: calls }, finish_reason: "stop" }];
  const response = { status_code: 200, request_id: "r", body: { id: "c", object: "chat.completion", choices } };
  return JSON.stringify({ custom_id: `q-${at}`, response, error: null });
}

/** Files of a batch whose answers are written one after another, and how they are checked: by what the thread of searches does. */
async function open(total: number, writeRequest = requestOf) {
  const dir = await makeTempDir();
  const [input, output] = [join(dir, "input.jsonl"), join(dir, "output.jsonl")];
  const requests = Array.from({ length: total }, (_, at) => writeRequest(at));
  await writeFile(input, `${requests.join("\n")}\n`);
  const starts = new Float64Array(total + 1);
  requests.forEach((text, at) => {
    starts[at + 1] = (starts[at] ?? 0) + Buffer.byteLength(text) + 1;
  });
  const index = createLineIndex(
    starts,
    Uint32Array.from(requests, (text) => crc32(text)),
  );
  let written = "";
  const asked: number[] = [];
  const machine = createFakeMachine();
  const client = {
    async *matchBroken(sent: Parameters<typeof findBrokenAnswers>[0]) {
      // A thread takes the arrays away.
      const transfer = [sent.input, sent.output].flatMap(({ known: { starts, lengths, checksums } }) => [
        starts.buffer,
        lengths.buffer,
        checksums.buffer,
      ]);
      const files = structuredClone(sent, { transfer });
      asked.push(files.output.known.starts.length);
      const places: number[] = [];
      const reading = { onProgress() {}, signal: AbortSignal.timeout(60_000) };
      const hasSchemas = await findBrokenAnswers(files, (start) => places.push(start), reading, machine);
      yield { bytes: 1, size: 1, places: Float64Array.from(places), hasSchemas };
    },
  };
  return {
    dir,
    input,
    index,
    asked,
    client,
    async answer(line: number, text: string) {
      const bytes = Buffer.from(`${text}\n`);
      const place = { file: "output", start: Buffer.byteLength(written), length: bytes.length - 1 } as const;
      written += `${text}\n`;
      await writeFile(output, written);
      const checked = { ...place, checksum: crc32(bytes), skipped: false, reused: false, damaged: false };
      index.record(line, { ...checked, milliseconds: 1 });
    },
    checkAll: async (file: string | null) => {
      const found: number[] = [];
      const known = { input: listKnownLines(index.columns, "input"), output: listKnownLines(index.columns, "output") };
      const files = {
        input: { path: input, known: known.input },
        output: { path: output, known: known.output },
        column: { name: "broken", file },
      };
      const reading = { onProgress() {}, signal: AbortSignal.timeout(60_000) };
      await findBrokenAnswers(files, (start) => found.push(known.output.lineAt(start)), reading, machine);
      return found;
    },
  };
}

test("answers of chats and responses are checked by their own schemas; calls of tools and requests without a schema are not", async () => {
  const { answer, checkAll, dir, input } = await open(7);
  await answer(1, answerOf(0, fitting));
  await answer(2, answerOf(1, "no JSON"));
  await answer(3, answerOf(2, "asked for no JSON"));
  await answer(5, answerOf(4, '{"n":"one"}'));
  await answer(4, answerOf(3, null, [{ id: "t", type: "function", function: { name: "f", arguments: "{}" } }]));
  await answer(7, answerOf(6, '{"n":0.5}'));
  expect(await checkAll(null)).toEqual([2, 5, 7]);
  // What was found is kept beside the index: no request is read again for it.
  const file = join(dir, "indexes", "b.column");
  expect(await checkAll(file)).toEqual([2, 5, 7]);
  await rm(input);
  expect(await checkAll(file)).toEqual([2, 5, 7]);
});

/** Finds the broken answers of a batch that runs, as often as it is called. */
function followRunning({ dir, index, client }: Awaited<ReturnType<typeof open>>): () => Promise<number[]> {
  const batch = makeBatchRecord({ id: "b", status: "in_progress" });
  const store = {
    pathOf: (id: string) => join(dir, id === batch.inputFileId ? "input.jsonl" : "output.jsonl"),
    indexOf: () => join(dir, "indexes", "b"),
    ledgerOf: () => ({ path: "", folder: "", batch: "b" }),
    timingsOf: () => "",
    files: { get: () => ({}) },
    batches: { get: () => undefined },
  };
  const checks = createSchemaChecks({ client: () => client } as never, store as never);
  return async () => {
    const lines: number[] = [];
    const view = { parts: [{ batch: { ...batch, outputFileId: "out" }, index, lineOf: (own: number) => own }] };
    const reading = { report() {}, signal: AbortSignal.timeout(60_000) };
    await checks.find(view as never, (line) => lines.push(line), reading);
    return lines;
  };
}

test("where no request has a schema, that is found out once", async () => {
  const running = await open(3, (at) => JSON.stringify({ custom_id: `q-${at}`, body: { model: "m" } }));
  const find = followRunning(running);
  for (const line of [1, 2, 3]) {
    await running.answer(line, answerOf(line - 1, "no JSON"));
    expect(await find()).toEqual([]);
  }
  expect(running.asked).toEqual([1]);
});

test("answers are checked also where what is found can't be kept", async () => {
  const { answer, checkAll, input } = await open(1);
  await answer(1, answerOf(0, "no"));
  // No folder can be made at a file.
  expect(await checkAll(join(input, "b.column"))).toEqual([1]);
});

test("while a batch runs only the answers that came since are checked, and one that takes the place of another counts alone", async () => {
  const running = await open(4);
  const { answer, asked } = running;
  const find = followRunning(running);
  expect(await find()).toEqual([]);
  await answer(1, answerOf(0, "no"));
  await answer(2, answerOf(1, fitting));
  expect(await find()).toEqual([1]);
  await answer(4, answerOf(3, "no"));
  expect(await find()).toEqual([1, 4]);
  await answer(1, answerOf(0, fitting));
  expect(await find()).toEqual([4]);
  expect(await find()).toEqual([4]);
  expect(asked).toEqual([2, 1, 1]);
});
