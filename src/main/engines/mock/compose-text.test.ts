import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import type { ChatRequest } from "#contract";
import { ask, complete, countPlain, createEngine, textOf } from "../testing/test-engine.ts";
import { cutToTokens } from "./compose-text.ts";

const question = "A robe takes 2 bolts of blue fiber and half that much white fiber. How many bolts does it take?";
const textFor = async (more: Partial<ChatRequest> = {}) => textOf(await complete(createEngine(), ask(question, more)));

describe("stop", () => {
  test("ends the text before the first of its sequences", async () => {
    const completion = await complete(createEngine(), ask(question, { stop: ["blue", "bolts", ""] }));
    expect(textOf(completion)).not.toMatch(/blue|bolts/);
    expect(completion.choices[0]?.finish_reason).toBe("stop");
    expect(completion.usage.completion_tokens).toBe(countPlain(textOf(completion)));
  });

  test("may be the first character, or not in the text at all", async () => {
    const completion = await complete(
      createEngine(),
      ask(question, { stop: [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].slice(0, 4) }),
    );
    expect(textOf(completion)).not.toMatch(/[A-D]/);
    expect(await textFor({ stop: "☃" })).toMatch(/mock answer/i);
  });
});

describe("seed", () => {
  test("gives the same answer with the same number, and another with another", async () => {
    expect(await textFor({ seed: 4 })).toBe(await textFor({ seed: 4 }));
    expect(await textFor({ seed: 4 })).not.toBe(await textFor({ seed: 5 }));
  });

  test("is told to be in force by the fingerprint, which changes with the engine's own seed", async () => {
    const fingerprint = async (seed: number) =>
      (await complete(createEngine({ seed }), ask(question))).system_fingerprint;
    expect(await fingerprint(1)).toBe(await fingerprint(1));
    expect(await fingerprint(1)).not.toBe(await fingerprint(2));
  });
});

describe("log probabilities", () => {
  const logprobsOf = async (content: string, more: Partial<ChatRequest>) => {
    const [choice] = (await complete(createEngine(), ask(content, more))).choices;
    return { text: choice?.message.content ?? "", entries: choice?.logprobs?.content };
  };

  test("are there when asked for only", async () => {
    expect((await logprobsOf(question, {})).entries).toBeUndefined();
    expect((await logprobsOf(question, { logprobs: false })).entries).toBeUndefined();
  });

  test.each([question, "今天天气怎么样？ 🫐🫐", "👩‍👩‍👧‍👦 <|endoftext|>"])(
    "of %j are of tokens that joined are the text",
    async (content) => {
      const { text, entries = [] } = await logprobsOf(content, { logprobs: true, top_logprobs: 3 });
      expect(entries?.map(({ token }) => token).join("")).toBe(text);
      expect(Buffer.from(entries?.flatMap(({ bytes }) => bytes ?? []) ?? []).toString()).toBe(text);
    },
  );

  test.each([0, 1, 5, 20])(
    "come with the %i likeliest tokens, in their order, never more than certain",
    async (top) => {
      const { entries } = await logprobsOf(question, { logprobs: true, top_logprobs: top });
      for (const { token, logprob, top_logprobs: likeliest } of entries ?? []) {
        expect(logprob).toBeLessThan(0);
        expect(likeliest).toHaveLength(top);
        if (top > 0) expect(likeliest[0]).toMatchObject({ token, logprob });
        const chances = likeliest.map((each) => Math.exp(each.logprob));
        expect(chances).toEqual(chances.toSorted((a, b) => b - a));
        expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeLessThanOrEqual(1);
        expect(new Set(likeliest.map((each) => each.token)).size).toBe(top);
      }
    },
  );
});

describe("the R1 model", () => {
  const r1 = "deepseek-ai/DeepSeek-R1";

  test("writes its reasoning apart from its answer, and counts it", async () => {
    const completion = await complete(createEngine(), ask(question, { model: r1 }));
    const message = completion.choices[0]?.message;
    expect(message?.reasoning_content).toContain("bolts");
    expect(message?.content).not.toContain("<think>");
    const reasoning = countPlain(message?.reasoning_content ?? "");
    expect(completion.usage).toMatchObject({
      completion_tokens: reasoning + countPlain(message?.content ?? ""),
      completion_tokens_details: { reasoning_tokens: reasoning },
    });
  });

  test("does so under its aliases; other models do not", async () => {
    const alias = await complete(createEngine(), ask(question, { model: "vendor_b/Family2-R1" }));
    expect(alias.choices[0]?.message).toHaveProperty("reasoning_content");
    const other = await complete(createEngine(), ask(question));
    expect(other.choices[0]?.message).not.toHaveProperty("reasoning_content");
  });

  test("has no answer when the tokens end while it reasons", async () => {
    const completion = await complete(createEngine(), ask(question, { model: r1, max_completion_tokens: 10 }));
    expect(completion.choices[0]).toMatchObject({ finish_reason: "length", message: { content: null } });
    expect(completion.usage.completion_tokens).toBeLessThanOrEqual(10);
  });
});

test("any options are honoured together", async () => {
  const anyOptions: fc.Arbitrary<Partial<ChatRequest>> = fc.record({
    model: fc.constantFrom("deepseek-ai/DeepSeek-R1", "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo"),
    n: fc.integer({ min: 1, max: 3 }),
    stop: fc.oneof(fc.string({ maxLength: 2 }), fc.array(fc.constantFrom("the", ".", " a", "e"), { maxLength: 4 })),
    max_completion_tokens: fc.integer({ min: 1, max: 150 }),
    logprobs: fc.boolean(),
    response_format: fc.constantFrom({ type: "text" as const }, { type: "json_object" as const }, null),
  });
  const engine = createEngine();
  await fc.assert(
    fc.asyncProperty(fc.lorem({ mode: "sentences" }), anyOptions, async (content, options) => {
      const { choices, usage } = await complete(engine, ask(content, options));
      const limit = options.max_completion_tokens ?? Infinity;
      let tokens = 0;
      for (const { message, logprobs, finish_reason: reason } of choices) {
        const text = message.content ?? "";
        const own = countPlain(text) + countPlain(message.reasoning_content ?? "");
        tokens += own;
        expect(own).toBeLessThanOrEqual(limit);
        if (reason === "stop")
          for (const sequence of [options.stop ?? []].flat()) if (sequence !== "") expect(text).not.toContain(sequence);
        if (logprobs) expect(logprobs.content?.map(({ token }) => token).join("")).toBe(text);
      }
      expect(choices).toHaveLength(options.n ?? 1);
      expect(usage.completion_tokens).toBe(tokens);
    }),
    { numRuns: 200 },
  );
});

const count = (text: string) => countTokens(text, { disallowedSpecial: new Set() });

const anyWord = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
  fc.lorem({ maxCount: 1 }),
  fc.constantFrom("👩‍👩‍👧‍👦", "e\u0301", "你好，世界！", "<|endoftext|>", "don't", "12345678", "🫐🫐🫐", "\u0000"),
);
const anyLine = fc
  .array(anyWord, { minLength: 1, maxLength: 40 })
  .map((words) => words.join(" ").replaceAll(/\s+/g, " ").trim())
  .filter((line) => line !== "");

test("a cut text has exactly as many tokens as asked for, and whole characters", () => {
  fc.assert(
    fc.property(anyLine, fc.nat(), (line, at) => {
      const limit = 1 + (at % Math.max(1, count(line) - 1));
      fc.pre(count(line) > limit);
      const cut = cutToTokens(line, limit);
      expect(count(cut)).toBe(limit);
      expect(cut.isWellFormed()).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("an emoji that does not fit is left out, not torn", () => {
  const text = "Fruit: 🫐🫐🫐";
  for (let limit = 1; limit < count(text); limit++) {
    const cut = cutToTokens(text, limit);
    expect(cut).not.toContain("\ufffd");
    expect(count(cut)).toBe(limit);
  }
});

test("a plain text is cut where its tokens end", () => {
  expect(cutToTokens("plain words after it", 2)).toBe("plain words");
});
