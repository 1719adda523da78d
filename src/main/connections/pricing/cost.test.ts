import { describe, expect, it } from "vitest";
import { planParts } from "../driver/plan.ts";
import { estimateCost, priceTokens, sumCosts } from "./cost.ts";

const openai = { preset: "openai", adapter: "openai-batch", prices: null, priceFactor: null } as const;
const use = { promptTokens: 1_000_000, completionTokens: 100_000 };

describe("what tokens cost", () => {
  it("is the provider's price times what a batch costs beside direct calls", () => {
    const direct = priceTokens(use, { connection: openai, model: "gpt-4o-mini", isDirect: true });
    expect(direct).toBeCloseTo(0.15 + 0.06);
    expect(priceTokens(use, { connection: openai, model: "gpt-4o-mini" })).toBeCloseTo((direct ?? 0) / 2);
    const half = { ...openai, priceFactor: 0.25 };
    expect(priceTokens(use, { connection: half, model: "gpt-4o-mini" })).toBeCloseTo((direct ?? 0) / 4);
  });

  it("is looked up under the preset's own provider only, and never guessed", () => {
    const ollama = { preset: "ollama", adapter: "chat", prices: null, priceFactor: null } as const;
    expect(priceTokens(use, { connection: ollama, model: "gpt-4o-mini" })).toBeNull();
    expect(priceTokens(use, { connection: openai, model: "no-such-model" })).toBeNull();
  });

  it("is what the user typed where that is so", () => {
    const typed = { ...openai, prices: { input: 2, output: 10 }, priceFactor: 1 };
    expect(priceTokens(use, { connection: typed, model: "whatever" })).toBeCloseTo(3);
  });
});

describe("what a job may cost", () => {
  it("has its middle from the answers of a trial and its ceiling from their limit, as far as there are some", () => {
    const source = { connection: { ...openai, prices: { input: 1, output: 10 }, priceFactor: 0.5 }, model: "m" };
    const job = { lines: 1_000, promptTokens: 1_000_000, usualAnswer: null, longestAnswer: null };
    expect(estimateCost(job, source)).toEqual({ prompts: 0.5, about: null, most: null });
    expect(estimateCost({ ...job, usualAnswer: 50, longestAnswer: 200 }, source)).toEqual({
      prompts: 0.5,
      about: 0.75,
      most: 1.5,
    });
  });

  it("is the sum of its batches, as far as all of them are known", () => {
    const known = { prompts: 1, about: 2, most: 3 };
    expect(sumCosts([known, { ...known, most: null }])).toEqual({ prompts: 2, about: 4, most: null });
    expect(sumCosts([known, null])).toBeNull();
  });
});

describe("a job over the limits", () => {
  it("is cut into as few parts as they allow, in the order of its lines", () => {
    const bytes = [3, 3, 3, 10, 1, 1, 1];
    expect(planParts({ bytes, tokens: null }, { lines: null, bytes: 9, tokens: null })).toEqual([
      { from: 1, to: 3 },
      { from: 4, to: 4 },
      { from: 5, to: 7 },
    ]);
    expect(planParts({ bytes, tokens: null }, { lines: 3, bytes: null, tokens: null }).map(({ to }) => to)).toEqual([
      3, 6, 7,
    ]);
    expect(planParts({ bytes, tokens: bytes }, { lines: null, bytes: null, tokens: 6 })).toHaveLength(4);
    expect(planParts({ bytes: [], tokens: null }, { lines: 3, bytes: 3, tokens: null })).toEqual([]);
  });
});
