import fc from "fast-check";
import { expect, test } from "vitest";
import { type BatchCost, describeKnownCost } from "#contract";
import { createFakeMachine } from "../base/clock/fake-machine.ts";
import { makeBatchRecord } from "../service/testing/index.ts";
import { createBatchCosts } from "./batch-costs.ts";
import { reportCosts } from "./cost-report.ts";
import { createCostSum, type LineTokens } from "./line-costs.ts";
import { createLineIndex, type LineIndex } from "./line-index.ts";

const batchOf = (completed: number) =>
  makeBatchRecord({ id: "b", connection: "c", models: ["m"], counts: { total: 10, completed, failed: 0 } });

/** Records an answer; one without tokens does not say what it took. */
function answer(index: LineIndex, line: number, tokens: Partial<LineTokens> | null, reused = false): void {
  const { promptTokens = null, completionTokens = 0, cachedTokens = 0, bill } = tokens ?? {};
  index.record(
    line,
    { file: "output", start: 0, length: 1, checksum: 0, skipped: false, milliseconds: 1, reused, damaged: false },
    {
      model: "m",
      finishReason: "stop",
      end: null,
      errorCode: null,
      promptTokens,
      cachedTokens,
      completionTokens,
      reasoningTokens: 0,
      bill,
    },
  );
}

const costOf = (usd: number, lines: number, others: Partial<BatchCost> = {}): BatchCost => {
  return { usd, lines, unknown: 0, reported: 0, isCeiling: false, isToday: false, ...others };
};

function open() {
  const index = createLineIndex(new Float64Array(11));
  const priced: LineTokens[] = [];
  const state = { index: Promise.resolve(index), isBroken: false, isCeiling: false };
  // A dollar for a token of the prompt, a tenth for one in the cache; long prompts cost twice as much.
  const createPrice = (factor: number) => (model: string, tokens: LineTokens) => {
    priced.push(tokens);
    if (model !== "m") return null;
    const { promptTokens, cachedTokens, completionTokens } = tokens;
    const usd = promptTokens - cachedTokens + cachedTokens / 10 + completionTokens;
    return usd * factor * (promptTokens > 100 ? 2 : 1);
  };
  let price = createPrice(1);
  const machine = createFakeMachine();
  const costs = createBatchCosts({
    indexes: {
      get: async () => {
        if (state.isBroken) throw new Error("too many open files");
        return await state.index;
      },
    },
    readPrices: () => ({ priceOf: async () => Object.assign(price, { isCeiling: () => state.isCeiling }) }),
    machine,
  });
  const setFactor = (factor: number) => {
    price = createPrice(factor);
  };
  return { index, priced, state, machine, costs, setFactor };
}

test("a failed line costs what its service counted, and is none of those that were answered", async () => {
  const { index, costs } = open();
  answer(index, 1, { promptTokens: 10 });
  const file = { file: "error", start: 0, length: 1, checksum: 0, skipped: false, milliseconds: 1 } as const;
  const facts = { model: "m", finishReason: null, end: null, errorCode: "oom", cachedTokens: 0, reasoningTokens: 0 };
  const failed = { ...file, reused: false, damaged: false };
  index.record(2, failed, { ...facts, promptTokens: 20, completionTokens: 1 });
  index.record(3, failed, { ...facts, promptTokens: null, completionTokens: null });
  const batch = { ...batchOf(1), counts: { total: 10, completed: 1, failed: 2 } };
  expect(await costs.of(batch)).toEqual(costOf(31, 1));
});

test("an answer that can't be read is missing in the sum: at least that, and no price for one of three", async () => {
  const { index, costs } = open();
  answer(index, 1, { promptTokens: 10 });
  answer(index, 2, { promptTokens: 5 });
  const noFacts = { model: null, finishReason: null, end: null, errorCode: null, promptTokens: null };
  index.record(
    3,
    {
      file: "output",
      start: 9,
      length: 1,
      checksum: 0,
      skipped: false,
      milliseconds: null,
      reused: false,
      damaged: true,
    },
    { ...noFacts, cachedTokens: 0, completionTokens: null, reasoningTokens: 0 },
  );
  const cost = await costs.of(batchOf(2));
  expect(cost).toEqual(costOf(15, 2, { unknown: 1 }));
  expect(cost && describeKnownCost(cost)).toBe("at least $15.00; no price for 1 of 3 answers");
  const month = new Date(batchOf(2).times.created).toISOString().slice(0, 7);
  const parts = { batches: [batchOf(2)], costs, judges: [], nameConnection: () => "Lab" };
  const { total, at_least: isLeast, rows } = await reportCosts(month, parts);
  expect([total, isLeast, rows.map((row) => row.without_price)]).toEqual([15, true, [1]]);
});

test("a batch costs the sum of its lines: each by its own prompt, a reused one nothing, an unknown one is left out", async () => {
  const { index, priced, costs } = open();
  answer(index, 1, { promptTokens: 60, completionTokens: 1 });
  answer(index, 2, { promptTokens: 60, cachedTokens: 50 });
  answer(index, 3, { promptTokens: 200 });
  answer(index, 4, null);
  answer(index, 5, { promptTokens: 500 }, true);
  expect(await costs.of(batchOf(5))).toEqual(costOf(476, 4, { unknown: 1 }));
  // More answers: only those are priced.
  priced.length = 0;
  expect(await costs.of(batchOf(5))).toEqual(costOf(476, 4, { unknown: 1 }));
  expect(priced).toEqual([]);
  answer(index, 6, { promptTokens: 4 });
  expect(await costs.of(batchOf(6))).toEqual(costOf(480, 5, { unknown: 1 }));
  expect(priced.map(({ promptTokens }) => promptTokens)).toEqual([4]);
  expect(await costs.of({ ...batchOf(6), connection: null })).toBeNull();
  // Of some lines.
  expect(await costs.ofSome(batchOf(6), index, Uint32Array.of(2, 4, 6, 7))).toEqual(costOf(19, 2, { unknown: 1 }));
  expect(await costs.ofSome(batchOf(6), index, Uint32Array.of(7))).toBeNull();
});

test("a page does not wait for a cost that takes its time: it is announced when it has been counted", async () => {
  const { index, state, machine, costs, setFactor } = open();
  answer(index, 1, { promptTokens: 3 });
  const { promise, resolve } = Promise.withResolvers<LineIndex>();
  state.index = promise;
  const announced: string[] = [];
  costs.subscribe((id) => announced.push(id));
  const first = costs.ofWithin(batchOf(1));
  await machine.advance(0);
  await machine.advance(300);
  expect(await first).toBeNull();
  resolve(index);
  expect(await costs.of(batchOf(1))).toEqual(costOf(3, 1));
  expect(announced).toEqual(["b"]);
  expect(await costs.ofWithin(batchOf(1))).toEqual(costOf(3, 1));
  expect(machine.pending).toBe(0);
  // Other prices are other costs, of all lines.
  setFactor(2);
  expect(await costs.ofWithin(batchOf(1))).toEqual(costOf(6, 1));
});

test("what could not be counted is counted again, and no listener is called for a failure", async () => {
  const { index, state, costs } = open();
  answer(index, 1, { promptTokens: 3 });
  state.isBroken = true;
  const announced: string[] = [];
  costs.subscribe((id) => announced.push(id));
  expect(await costs.ofWithin(batchOf(1))).toBeNull();
  state.isBroken = false;
  expect(await costs.ofWithin(batchOf(1))).toEqual(costOf(3, 1));
  state.isBroken = true;
  // Until it can be counted again, it is what it was.
  expect(await costs.ofWithin(batchOf(2))).toEqual(costOf(3, 1));
  expect(announced).toEqual([]);
});

test("a batch that can't be read does not hide what the others of its month cost", async () => {
  const { index, costs } = open();
  answer(index, 1, { promptTokens: 3 });
  const [sound, broken] = [batchOf(1), { ...batchOf(4), id: "broken" }];
  const byModel = async (batch: typeof sound) => {
    if (batch.id === "broken") throw new Error("EIO");
    return await costs.byModel(batch);
  };
  const month = new Date(sound.times.created).toISOString().slice(0, 7);
  const report = await reportCosts(month, {
    batches: [broken, sound],
    costs: { byModel },
    judges: [],
    nameConnection: () => "Lab",
  });
  expect(report).toMatchObject({ total: 3, at_least: true });
  expect(report.rows.map(({ model, answers, cost, without_price }) => [model, answers, cost, without_price])).toEqual([
    ["", 4, null, 4],
    ["m", 1, 3, 0],
  ]);
});

test("where no price is known there is no cost; answers that were reused cost nothing", async () => {
  const { index, costs } = open();
  answer(index, 1, { promptTokens: 3 }, true);
  const batch = { ...batchOf(1), models: ["other"], counts: { total: 10, completed: 1, failed: 0, reused: 1 } };
  expect(await costs.of(batch)).toEqual(costOf(0, 1));
  answer(index, 2, { promptTokens: 3 });
  expect(await costs.of({ ...batch, counts: { ...batch.counts, completed: 2 } })).toBeNull();
});

test("an answer that takes the place of another is priced in its place", async () => {
  const { index, costs } = open();
  answer(index, 1, { promptTokens: 60 });
  answer(index, 2, { promptTokens: 1 });
  expect(await costs.of(batchOf(2))).toEqual(costOf(61, 2));
  answer(index, 1, { promptTokens: 7 });
  expect(await costs.of({ ...batchOf(2), counts: { total: 10, completed: 1, failed: 1 } })).toEqual(costOf(8, 2));
});

test("what the service says that an answer cost counts before any price, and a discount that is not certain is said", async () => {
  const { index, costs, state } = open();
  answer(index, 1, { promptTokens: 60 });
  answer(index, 2, {
    promptTokens: 60,
    bill: { cacheWriteTokens: 0, cacheWrite1hTokens: 0, cost: 0.25, tier: "flex" },
  });
  expect(await costs.of(batchOf(2))).toEqual(costOf(60.25, 2, { reported: 1 }));
  state.isCeiling = true;
  answer(index, 3, { promptTokens: 1 });
  expect(await costs.of(batchOf(3))).toEqual(costOf(61.25, 3, { reported: 1, isCeiling: true }));
});

test("a sum is the same to the last digit in whatever order its answers come", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { minLength: 1, maxLength: 60 }).chain((costs) => {
        return fc.tuple(
          fc.constant(costs),
          fc.shuffledSubarray(
            costs.map((_, at) => at),
            { minLength: costs.length },
          ),
        );
      }),
      ([costs, order]) => {
        const sumIn = (lines: readonly number[]) => {
          const index = createLineIndex(new Float64Array(costs.length + 1));
          const sum = createCostSum(index, ["m"], () => null);
          let usd = 0;
          for (const at of lines) {
            const bill = { cacheWriteTokens: 0, cacheWrite1hTokens: 0, cost: costs[at] ?? 0, tier: null };
            answer(index, at + 1, { promptTokens: 1, bill });
            ({ usd } = sum());
          }
          return usd;
        };
        const found = sumIn(costs.map((_, at) => at));
        expect(sumIn(order)).toBe(found);
        expect(found).toBeCloseTo(
          costs.reduce((total, cost) => total + cost, 0),
          9,
        );
      },
    ),
    { numRuns: 100 },
  );
});
