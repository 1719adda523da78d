import { expect, test } from "vitest";
import type { EngineCall, EngineReply } from "#main/base";
import {
  createManualEngine,
  createTestEngine,
  makeTempDir,
  openTestService,
  readContent,
  replyTo,
  requestLine,
  type TestService,
  toJsonl,
} from "../service/testing/index.ts";

/** Answers as many tokens as a line wants, where its limit allows so many; `empty` and `refused` as their names say. */
function answerWanted(asked: Map<string, (number | null)[]>, call: EngineCall): EngineReply {
  const customId = call.line?.customId ?? "";
  const limit = call.request.max_completion_tokens ?? call.request.max_tokens ?? null;
  asked.set(customId, [...(asked.get(customId) ?? []), limit]);
  const [kind = "", wanted = "1"] = customId.split("-");
  const isCut = kind === "long" && (limit ?? 60) < Number(wanted);
  const message = { role: "assistant" as const, content: kind === "empty" ? " " : "Four.", refusal: null };
  const reason = isCut ? "length" : kind === "refused" ? "content_filter" : "stop";
  const reply = replyTo(call);
  return {
    ...reply,
    body: {
      ...reply.body,
      choices: [{ index: 0, message, finish_reason: reason }],
      usage: { prompt_tokens: 10, completion_tokens: isCut ? (limit ?? 60) : 5, total_tokens: 70 },
    },
  } as EngineReply;
}

const line = (customId: string, body: Record<string, unknown> = {}) =>
  requestLine(customId, `Question ${customId}?`, { body });
const file = toJsonl([
  line("plain-1"),
  line("long-100", { max_tokens: 50 }),
  line("long-300", { max_completion_tokens: 100 }),
  line("long-110"),
  line("empty-1", { max_tokens: 20 }),
  line("refused-1"),
]);

const ends = async ({ results }: TestService, id: string) => {
  const { ends } = await results.summary(id, {}, { merged: true });
  return Object.fromEntries(ends.map(({ value, count }) => [value, count]));
};

test("how answers ended is counted, through a restart; cut and empty ones are asked again with twice their limit until they fit", async () => {
  const dataDir = await makeTempDir();
  const asked = new Map<string, (number | null)[]>();
  const engine = createTestEngine((call) => answerWanted(asked, call));
  const before = await openTestService({ dataDir, engine });
  const root = await before.run(file);
  const counted = { complete: 1, cut: 3, empty: 1, refused: 1 };
  expect(root).toMatchObject({ counts: { completed: 6, failed: 0 }, ends: counted });
  await before.close();

  const service = await openTestService({ dataDir, engine });
  const { id } = root;
  expect(service.batches.get(id)?.ends).toEqual(counted);
  expect(await ends(service, id)).toEqual(counted);
  const { rows } = await service.results.page(id, 0, 9, { ends: ["empty", "refused"] });
  expect(rows.map(({ customId, end }) => [customId, end])).toEqual([
    ["empty-1", "empty"],
    ["refused-1", "refused"],
  ]);
  expect(await service.results.left(id)).toEqual({
    failed: 0,
    errors: {},
    damaged: 0,
    neverRan: 0,
    awaited: 0,
    mayBePaid: 0,
    cut: 3,
    empty: 1,
  });
  await expect(service.batches.retry({ id, which: ["failed"] })).rejects.toThrow("left that failed");

  const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
  expect(await service.batches.planRetry({ id, which: ["cut", "empty"] })).toEqual([
    { model, promptTokens: 10, mostTokens: 100 },
    { model, promptTokens: 10, mostTokens: 200 },
    { model, promptTokens: 10, mostTokens: 120 },
    { model, promptTokens: 10, mostTokens: 40 },
  ]);
  const retry = async (which: ("cut" | "empty" | "failed" | "lines")[], about: object = {}) => {
    asked.clear();
    const { id: retryId } = await service.batches.retry({ id, which, ...about });
    const done = await service.batches.settled(retryId);
    return { asked: Object.fromEntries(asked), done };
  };
  const first = await retry(["failed", "cut", "empty"]);
  expect(first.asked).toEqual({ "long-100": [100], "long-300": [200], "long-110": [120], "empty-1": [40] });
  expect(first.done.ends).toEqual({ complete: 2, cut: 1, empty: 1 });
  expect(await readContent(await service.files.read(first.done.inputFileId))).not.toContain('"max_tokens":50');
  expect(await ends(service, id)).toEqual({ complete: 3, cut: 1, empty: 1, refused: 1 });

  // The limit of the newest answer is the one that was too small.
  expect((await retry(["cut"])).asked).toEqual({ "long-300": [400] });
  expect(await ends(service, id)).toEqual({ complete: 4, empty: 1, refused: 1 });
  expect((await retry(["empty"], { maxTokens: 7 })).asked).toEqual({ "empty-1": [7] });
  await expect(service.batches.retry({ id, which: ["cut"] })).rejects.toThrow("left whose answers were cut");
  await expect(service.batches.retry({ id, which: ["cut", "failed"] })).rejects.toThrow("left to be asked again");
  // Named lines are sent as they were.
  expect((await retry(["lines"], { lines: [2] })).asked).toEqual({ "long-100": [50] });
  await service.close();
});

test("how the answers of a running batch ended is there at once after a restart, and counted on", async () => {
  const dataDir = await makeTempDir();
  const engine = createManualEngine(2);
  const before = await openTestService({ dataDir, engine });
  const { id } = await before.submit(toJsonl([line("a"), line("b"), line("c"), line("d")]));
  await engine.arrived(2);
  engine.release(2);
  await engine.arrived(2);
  await before.close(0);
  const service = await openTestService({ dataDir, engine });
  expect(service.batches.get(id)).toMatchObject({ counts: { completed: 2 }, ends: { complete: 2 } });
  await engine.arrived(2);
  engine.release();
  expect(await service.batches.settled(id)).toMatchObject({ counts: { completed: 4 }, ends: { complete: 4 } });
  await service.close();
});

test("twice a limit is at most what the model can", async () => {
  const asked = new Map<string, (number | null)[]>();
  const service = await openTestService({
    engine: createTestEngine((call) => answerWanted(asked, call)),
    tier: "free",
  });
  const { id } = await service.run(toJsonl([line("long-9000", { max_tokens: 3_000 })]));
  asked.clear();
  await service.batches.settled((await service.batches.retry({ id, which: ["cut"] })).id);
  expect(asked.get("long-9000")).toEqual([4_000]);
  await service.close();
});
