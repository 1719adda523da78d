import { calcPrice } from "@pydantic/genai-prices";
import { expect, test } from "vitest";
import type { Connection } from "#contract";
import { createLineIndex, createRecordPrice } from "#main/results";
import { splitByModel } from "../../results/line-costs.ts";
import { estimateCost, estimateLine, sumCosts } from "./estimate-cost.ts";
import { openLinePrice } from "./line-price.ts";
import { findPrices } from "./model-price.ts";

const openai = { preset: "openai", adapter: "openai-batch", prices: null, priceFactor: null, models: {} } as const;
const gemini = { ...openai, preset: "gemini", adapter: "gemini-batch" } as const;
const tokens = { promptTokens: 1_000_000, cachedTokens: 0, completionTokens: 100_000 };

test("a line costs the provider's price times what a batch costs beside direct calls", async () => {
  const direct = (await openLinePrice(openai, { isDirect: true }))("gpt-4o-mini", tokens);
  expect(direct).toBeCloseTo(0.15 + 0.06);
  expect((await openLinePrice(openai))("gpt-4o-mini", tokens)).toBeCloseTo((direct ?? 0) / 2);
  expect((await openLinePrice({ ...openai, priceFactor: 0.25 }))("gpt-4o-mini", tokens)).toBeCloseTo((direct ?? 0) / 4);
  expect((await openLinePrice({ ...openai, models: { "*": "gpt-4o-mini" } }))("mine", tokens)).toBeCloseTo(
    (direct ?? 0) / 2,
  );
});

test("a price is looked up under the preset's own provider only, and never guessed", async () => {
  const ollama = { ...openai, preset: "ollama", adapter: "chat" } as const;
  expect((await openLinePrice(ollama))("gpt-4o-mini", tokens)).toBeNull();
  expect((await openLinePrice(openai))("no-such-model", tokens)).toBeNull();
  // Paid by the hour of sound.
  expect((await openLinePrice({ ...openai, preset: "groq" }))("whisper-large-v3", tokens)).toBeNull();
});

test("a price that the user typed is taken in place of all others", async () => {
  const typed = await openLinePrice({ ...openai, prices: { input: 2, output: 10 }, priceFactor: 1 });
  expect(typed("whatever", tokens)).toBeCloseTo(3);
  expect(typed("whatever", { ...tokens, cachedTokens: 400_000 })).toBeCloseTo(3);
});

test("each line has the prices of its own prompt's length, with cached tokens at theirs", async () => {
  const cases = [
    ["google", gemini, "gemini-2.5-pro"],
    ["google", gemini, "gemini-2.5-flash"],
    ["openai", openai, "gpt-5.4"],
    ["openai", openai, "gpt-4o"],
    ["anthropic", { ...openai, preset: "anthropic", adapter: "anthropic-batch" } as const, "claude-sonnet-4-5"],
  ] as const;
  for (const [providerId, connection, model] of cases) {
    const price = await openLinePrice(connection);
    for (const promptTokens of [0, 1_000, 128_000, 200_000, 200_001, 271_999, 272_000, 272_001, 900_000]) {
      for (const cachedTokens of [0, Math.floor(promptTokens * 0.9)]) {
        const usage = { input_tokens: promptTokens, cache_read_tokens: cachedTokens, output_tokens: 500 };
        // Batches of Gemini cost half but for what the service had in its cache.
        const uncached = { ...usage, input_tokens: promptTokens };
        const whole = calcPrice(uncached, model, { providerId });
        const rate = whole?.model_price.cache_read_mtok ?? 0;
        const cachedRate =
          typeof rate === "number"
            ? rate
            : (rate.tiers.findLast(({ start }) => promptTokens > start)?.price ?? rate.base);
        const kept = providerId === "google" ? (cachedTokens * cachedRate) / 2e6 : 0;
        const expected = (whole?.total_price ?? Number.NaN) / 2 + kept;
        const found = price(model, { promptTokens, cachedTokens, completionTokens: 500 });
        expect(found, `${model}, ${promptTokens}`).toBeCloseTo(expected, 9);
      }
    }
  }
});

test("the price is that of the day on which a line was asked", async () => {
  const priceOn = async (day: string) =>
    (await openLinePrice(openai, { day: new Date(day), isDirect: true }))("o3", tokens);
  // It was lowered to a fifth on 10 June 2025.
  expect(await priceOn("2025-06-09")).toBeCloseTo(10 + 4);
  expect(await priceOn("2025-06-11")).toBeCloseTo(2 + 0.8);
});

test("a job is estimated from the answers of a trial, and at most from their limit", async () => {
  const price = await openLinePrice({ ...openai, prices: { input: 1, output: 10 }, priceFactor: 0.5 });
  const job = {
    model: "m",
    prompts: [{ lines: 1_000, promptTokens: 1_000_000 }],
    usualAnswer: null,
    longestAnswer: null,
  };
  expect(estimateCost(job, price)).toMatchObject({ prompts: 0.5, about: null, most: null, lines: 1_000, unknown: 0 });
  const closeTo = { prompts: expect.closeTo(0.5), about: expect.closeTo(0.75), most: expect.closeTo(1.5) };
  expect(estimateCost({ ...job, usualAnswer: 50, longestAnswer: 200 }, price)).toMatchObject(closeTo);
  // The service counted half as many again in the prompts of the trial.
  expect(estimateCost({ ...job, promptRatio: 1.5 }, price).prompts).toBeCloseTo(0.75);
  const line = { model: "m", promptTokens: 1_000, usualAnswer: 0, longestAnswer: 0 };
  expect(estimateLine(line, price)).toMatchObject({ prompts: 0.0005, about: 0.0005, most: 0.0005 });
});

test("many short prompts have no price of a long one", async () => {
  const price = await openLinePrice(gemini);
  const estimate = (...prompts: { lines: number; promptTokens: number }[]) =>
    estimateCost({ model: "gemini-2.5-pro", prompts, usualAnswer: null, longestAnswer: 1_000 }, price);
  const short = estimate({ lines: 1_000, promptTokens: 1_000_000 });
  expect(short).toMatchObject({ prompts: expect.closeTo(1.25 / 2), most: expect.closeTo((1.25 + 10) / 2) });
  const both = estimate({ lines: 1_000, promptTokens: 1_000_000 }, { lines: 2, promptTokens: 600_000 });
  expect(both?.prompts).toBeCloseTo((1.25 + 0.6 * 2.5) / 2);
  expect(both?.most).toBeCloseTo((1.25 + 10 + 0.6 * 2.5 + 0.002 * 15) / 2);
});

test("several jobs cost their sum; requests without a known price are counted", async () => {
  const known = { prompts: 1, about: 2, most: 3, lines: 4, unknown: 0, isCeiling: false };
  expect(sumCosts([known, { ...known, most: null, unknown: 5, isCeiling: true }])).toEqual({
    prompts: 2,
    about: 4,
    most: null,
    lines: 8,
    unknown: 5,
    isCeiling: true,
  });
  const price = await openLinePrice(openai);
  const prompts = [
    { lines: 3, promptTokens: 3_000_000, model: "gpt-4o-mini" },
    { lines: 2, promptTokens: 20, model: "no-such-model" },
  ];
  const job = { model: "", prompts, usualAnswer: 0, longestAnswer: null };
  expect(estimateCost(job, price)).toMatchObject({ prompts: expect.closeTo(3 * 0.075), lines: 3, unknown: 2 });
});

test("a discount that is not certain makes a price the most that it can be", async () => {
  const isCeiling = async (preset: string, others = {}) =>
    (await openLinePrice({ ...openai, preset, ...others })).isCeiling?.("meta-llama/Llama-3.3-70B-Instruct-Turbo");
  // "Up to 50 %".
  expect(await isCeiling("together")).toBe(true);
  expect(await isCeiling("together", { priceFactor: 0.5 })).toBe(false);
  expect(await isCeiling("together", { prices: { input: 1, output: 1 } })).toBe(false);
  expect(await isCeiling("together", { adapter: "chat" })).toBe(false);
  expect((await openLinePrice({ ...openai, preset: "azure" }))("gpt-4o-mini", tokens)).toBeCloseTo((0.15 + 0.06) / 2);
});

test("what is written to the cache, tiers and prices of single models are priced as they are", async () => {
  const bill = { cacheWriteTokens: 600_000, cacheWrite1hTokens: 100_000, cost: null, tier: null };
  const anthropic = { ...openai, preset: "anthropic", adapter: "anthropic-batch" } as const;
  const usage = { ...tokens, cachedTokens: 300_000, bill };
  const claude = (await openLinePrice(anthropic))("claude-sonnet-4-0", usage);
  expect(claude).toBeCloseTo((0.1 * 3 + 0.5 * 3.75 + 0.1 * 6 + 0.3 * 0.3 + 0.1 * 15) / 2, 9);
  expect(
    (await openLinePrice(anthropic))("claude-sonnet-4-0", { ...usage, bill: { ...bill, tier: "priority" } }),
  ).toBeNull();
  // No price of what is written to a cache is known.
  expect((await openLinePrice(openai))("gpt-4o-mini", usage)).toBeNull();
  const prices = { input: 2, output: 10, cached: 0.5, cacheWrite: 2.5, cacheWrite1h: null };
  const own = { ...openai, modelPrices: [{ model: "mine", prices, factor: 0.25 }] };
  expect((await openLinePrice(own))("mine", usage)).toBeCloseTo((0.1 * 2 + 0.6 * 2.5 + 0.3 * 0.5 + 0.1 * 10) / 4, 9);
  expect((await openLinePrice(own))("gpt-4o-mini", tokens)).toBeCloseTo((0.15 + 0.06) / 2);
});

test("a factor is found as prices are, by the request's name, else by the service's; one alone hides no prices", async () => {
  const prices = { input: 2, output: 10, cached: 2, cacheWrite: 2, cacheWrite1h: null };
  const mapped = { ...openai, models: { mine: "theirs" } };
  const usd = async (modelPrices: Connection["modelPrices"]) =>
    (await openLinePrice({ ...mapped, modelPrices }))("mine", tokens);
  expect(await usd([{ model: "theirs", prices, factor: 0.25 }])).toBeCloseTo(3 / 4);
  const own = { model: "mine", prices: null, factor: 0.1 };
  expect(await usd([own, { model: "theirs", prices, factor: 0.25 }])).toBeCloseTo(3 / 10);
});

test("of several models in a record the one is taken that an answer's name is a version of", async () => {
  const day = new Date("2026-11-27");
  const models = ["gpt-4o", "gpt-4o-mini", "meta-llama/other", "unpriced"];
  const record = await findPrices(openai, { models, isDirect: true, day });
  expect(record.models.map(({ name }) => name)).toEqual(["gpt-4o", "gpt-4o-mini"]);
  const price = createRecordPrice(record);
  const usd = (model: string) => price(model, tokens);
  expect(usd("gpt-4o-mini-2024-07-18")).toBe(usd("gpt-4o-mini"));
  expect(usd("gpt-4o-2024-08-06")).toBe(usd("gpt-4o"));
  expect(usd("openai/gpt-4o")).toBe(usd("gpt-4o"));
  expect(usd("gpt-4oo")).toBeNull();
  expect(usd("unpriced")).toBeNull();

  // One that was asked and has no price takes that of no other.
  const asked = ["gpt-4o", "gpt-4o-mini"];
  const [large] = record.models;
  const some = createRecordPrice({ version: 1, models: large ? [large] : [] }, { asked });
  expect(some("gpt-4o-2024-08-06", tokens)).toBe(usd("gpt-4o"));
  expect(some("gpt-4o-mini", tokens)).toBeNull();
  expect(some("gpt-4o-mini-2024-07-18", tokens)).toBeNull();
});

test("answers are counted under the name that requests have, also where the connection gives the model another one", async () => {
  const mapped = { ...openai, models: { fast: "gpt-4o-mini", slow: "gpt-4o" } };
  const models = ["fast", "slow"];
  const price = createRecordPrice(await findPrices(mapped, { models, isDirect: true, day: new Date("2026-11-27") }));
  const index = createLineIndex(new Float64Array(4));
  const place = { file: "output", start: 0, length: 1, checksum: 0, skipped: false, milliseconds: 1 } as const;
  const facts = { finishReason: "stop", end: null, errorCode: null, cachedTokens: 0, reasoningTokens: 0 };
  for (const [at, model] of ["gpt-4o-mini-2024-07-18", "gpt-4o", "unknown"].entries()) {
    const counts = { promptTokens: 1_000_000, completionTokens: 100_000 };
    index.record(at + 1, { ...place, reused: false, damaged: false }, { ...facts, ...counts, model });
  }
  expect(splitByModel(index, models, price).map(({ model, usd, unknown }) => [model, usd, unknown])).toEqual([
    ["fast", price("fast", tokens), 0],
    ["slow", price("slow", tokens), 0],
    ["unknown", 0, 1],
  ]);
});
