import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ChatRequest, chatCompletionSchema } from "#contract";
import { ask, complete, countPlain, createEngine, createNotingClock, model, textOf } from "../testing/test-engine.ts";

const question =
  "A robe takes 2 bolts of blue fiber and half that much white fiber.  How many bolts in total does it take?";

describe("an answer", () => {
  test("refers to the last user message and says that it is a mock answer", async () => {
    const completion = await complete(createEngine(), {
      model,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "What is a robe?" },
        { role: "assistant", content: "A garment." },
        { role: "user", content: question },
      ],
    });
    expect(textOf(completion)).toContain("How many bolts in total does it take?");
    expect(textOf(completion).toLowerCase()).toContain("mock answer");
  });

  test("names the numbers of the question", async () => {
    const text = textOf(await complete(createEngine(), ask("Add 17 to 4,250 and take 3.5 away from it.")));
    expect(text).toMatch(/17(,| and) 4,250/);
  });

  test("carries the name that the request asked for", async () => {
    const completion = await complete(createEngine(), ask(question, { model: "<vendor_a>/<Family1>-3.1-8B" }));
    expect(completion.model).toBe("<vendor_a>/<Family1>-3.1-8B");
    expect(completion.created).toBe(1_700_000_000);
    expect(completion.choices[0]?.finish_reason).toBe("stop");
  });

  test.each([
    ["Chinese", "今天天气怎么样？请用一句话回答，并说明你的理由。".repeat(8)],
    ["Arabic", "ما هي عاصمة فرنسا؟"],
    ["Hindi", "भारत की राजधानी क्या है? कृपया एक वाक्य में उत्तर दें।".repeat(5)],
    ["emoji", "👩‍👩‍👧‍👦".repeat(60)],
    ["code", "```ts\nconst a = 1;\n```\nWhy does this not compile?"],
    ["what looks like a special token", "Say <|endoftext|> twice"],
  ])("reads well for %s", async (_name, content) => {
    const text = textOf(await complete(createEngine(), ask(content)));
    expect(text.isWellFormed()).toBe(true);
    const [, quoted = ""] = /"(.*?)(?:\.\.\.)?"/su.exec(text) ?? [];
    expect(quoted.length).toBeGreaterThan(3);
    expect(content.replaceAll(/\s+/g, " ")).toContain(quoted);
  });

  test("reads well when there is nothing to quote", async () => {
    const messages: ChatRequest["messages"][] = [
      [{ role: "user", content: "" }],
      [{ role: "user", content: " \n " }],
      [{ role: "assistant", content: null }],
      [{ role: "user", content: [{ type: "text", text: "" }] }],
    ];
    for (const each of messages) {
      expect(textOf(await complete(createEngine(), { model, messages: each }))).toMatch(/message/);
    }
  });

  test("joins the text parts of a message, and says what came with them", async () => {
    const content = [
      { type: "text" as const, text: "Where is " },
      { type: "text" as const, text: "the station?" },
      { type: "image_url" as const, image_url: { url: "https://example.com/map.png" } },
    ];
    const text = textOf(await complete(createEngine(), { model, messages: [{ role: "user", content }] }));
    expect(text).toContain("Where is the station?");
    expect(text).toContain("I was given 1 image.");
  });

  test("to a question that was asked before says the same under a new id, as text, too", async () => {
    const engine = createEngine();
    const again = async () => {
      const { signal } = new AbortController();
      return await engine.complete({ request: ask(question), requestId: "req_1", line: null, signal });
    };
    const replies = [await again(), await again(), await again(), await again()];
    const completions = replies.map(({ body }) => chatCompletionSchema.parse(body));
    expect(new Set(completions.map(({ id }) => id)).size).toBe(4);
    expect(new Set(completions.map(textOf)).size).toBe(1);
    const texts = replies.flatMap((reply) => ("json" in reply ? [reply.json ?? ""] : []));
    expect(texts.map((text) => JSON.parse(text))).toEqual(completions.slice(-texts.length));
    expect(texts).not.toHaveLength(0);
  });

  test("is there at once where the pace is instant", () => {
    const { signal } = new AbortController();
    const reply = createEngine().complete({ request: ask(question), requestId: "req_1", line: null, signal });
    expect(reply).not.toBeInstanceOf(Promise);
  });

  test("comes as often as n asks, each in its own words, all of them counted", async () => {
    const completion = await complete(createEngine(), ask(question, { n: 3 }));
    const texts = completion.choices.map((choice) => choice.message.content ?? "");
    expect(completion.choices.map((choice) => choice.index)).toEqual([0, 1, 2]);
    expect(new Set(texts).size).toBe(3);
    expect(completion.usage.completion_tokens).toBe(texts.reduce((total, text) => total + countPlain(text), 0));
  });
});

describe("the same seed", () => {
  const answer = async (seed: number, request: ChatRequest) => {
    const { choices, usage } = await complete(createEngine({ seed }), request);
    return { choices, usage };
  };

  test("gives the same request the same answer, and another seed another", async () => {
    expect(await answer(7, ask(question))).toEqual(await answer(7, ask(question)));
    expect(await answer(7, ask(question))).not.toEqual(await answer(8, ask(question)));
    expect(await answer(7, ask(question))).not.toEqual(await answer(7, ask(question, { temperature: 1 })));
  });

  test("gives the same answer at any pace", async () => {
    const slow = await complete(createEngine({ pace: "realistic" }), ask(question));
    const fast = await complete(createEngine({ pace: "instant" }), ask(question));
    expect(slow.choices).toEqual(fast.choices);
  });
});

describe("pace", () => {
  test("instant never touches the clock", async () => {
    const { clock, slept } = createNotingClock();
    await complete(createEngine({ pace: "instant", clock }), ask(question));
    expect(slept).toEqual([]);
  });

  test("a number is the milliseconds of every answer", async () => {
    const { clock, slept } = createNotingClock();
    const engine = createEngine({ pace: 250, clock });
    await complete(engine, ask("one"));
    await complete(engine, ask("two"));
    expect(slept).toEqual([250, 250]);
    expect(engine.description).toBe("mock, 250 ms each, seed 1");
  });

  test("realistic latencies have their median near 0.8 s and a long tail, and repeat", async () => {
    const { clock, slept } = createNotingClock();
    const engine = createEngine({ pace: "realistic", clock });
    for (let index = 0; index < 2_000; index++) await complete(engine, ask(`question ${index}`));
    const sorted = [...slept].sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
    expect(at(0.5)).toBeGreaterThan(750);
    expect(at(0.5)).toBeLessThan(850);
    expect(at(0.01)).toBeGreaterThan(200);
    expect(at(0.99)).toBeGreaterThan(1_800);
    expect(at(0.99)).toBeLessThan(3_200);
    expect(engine.concurrency).toBe(10);

    slept.length = 0;
    await complete(engine, ask("question 0"));
    await complete(engine, ask("question 0"));
    expect(slept[0]).toBe(slept[1]);
  });
});

test("an abort rejects with its reason, before and during the wait", async () => {
  const reason = new Error("stopped");
  const aborted = AbortSignal.abort(reason);
  await expect(complete(createEngine(), ask(question), aborted)).rejects.toBe(reason);

  const controller = new AbortController();
  const waiting = complete(createEngine({ pace: 1_000 }), ask(question), controller.signal);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

const anyContent = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.lorem({ mode: "sentences", maxCount: 20 }),
  fc.constantFrom("", "?", "…", "<|im_end|>", "\ud800", "x".repeat(20_000), "字".repeat(3_000), "1 ".repeat(3_000)),
  fc.array(fc.record({ type: fc.constant("text" as const), text: fc.string() }), { minLength: 1, maxLength: 3 }),
  fc.constant(null),
);
const anyRequest: fc.Arbitrary<ChatRequest> = fc.record(
  {
    model: fc.string(),
    messages: fc.array(
      fc.record({ role: fc.constantFrom("system", "user", "assistant", "developer", "tool"), content: anyContent }),
      { minLength: 1, maxLength: 4 },
    ),
    n: fc.option(fc.integer({ min: 1, max: 3 })),
    max_completion_tokens: fc.option(fc.integer({ min: 1, max: 120 })),
    max_tokens: fc.option(fc.integer({ min: 1, max: 120 })),
  },
  { requiredKeys: ["model", "messages"] },
);

test("any request is answered: usage adds up, limits hold, and the counts are those of the text", async () => {
  const engine = createEngine();
  await fc.assert(
    fc.asyncProperty(anyRequest, async (request) => {
      const { choices, usage, model: named } = await complete(engine, request);
      const limit = Math.min(request.max_completion_tokens ?? Infinity, request.max_tokens ?? Infinity);
      let tokens = 0;
      for (const choice of choices) {
        const text = choice.message.content ?? "";
        const count = countPlain(text);
        tokens += count;
        expect(text.isWellFormed()).toBe(true);
        if (choice.finish_reason === "length") expect(count).toBe(limit);
        else expect(count).toBeLessThanOrEqual(limit);
      }
      expect(choices).toHaveLength(request.n ?? 1);
      expect(named).toBe(request.model);
      expect(usage.completion_tokens).toBe(tokens);
      expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
    }),
    { numRuns: 300 },
  );
});
