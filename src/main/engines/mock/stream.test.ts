import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChatRequest } from "#contract";
import { createManualClock, createSystemClock } from "#main/base";
import { createFakeMachine } from "../../base/clock/fake-machine.ts";
import { ask, complete, createEngine, stream } from "../testing/test-engine.ts";

const question = "How many bolts does a robe take in total?";

describe("a stream", () => {
  test("is the answer in one piece, cut into its tokens: text, reasoning, finish reason and usage", async () => {
    const anyOptions: fc.Arbitrary<Partial<ChatRequest>> = fc.record({
      model: fc.constantFrom("deepseek-ai/DeepSeek-R1", "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo"),
      n: fc.integer({ min: 1, max: 3 }),
      max_completion_tokens: fc.option(fc.integer({ min: 1, max: 100 })),
      logprobs: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), anyOptions, async (content, options) => {
        const request = ask(content, options);
        const whole = await complete(createEngine(), request);
        const chunks = await stream(createEngine(), {
          ...request,
          stream: true,
          stream_options: { include_usage: true },
        });
        for (const { index, message, finish_reason, logprobs } of whole.choices) {
          const own = chunks.flatMap(({ choices }) => choices.filter((choice) => choice.index === index));
          const join = (field: "content" | "reasoning_content") => own.map(({ delta }) => delta[field] ?? "").join("");
          expect(own[0]?.delta.role).toBe("assistant");
          expect(join("content")).toBe(message.content ?? "");
          expect(join("reasoning_content")).toBe(message.reasoning_content ?? "");
          expect(own.map((choice) => choice.finish_reason).filter(Boolean)).toEqual([finish_reason]);
          expect(own.at(-1)?.finish_reason).toBe(finish_reason);
          expect(own.flatMap((choice) => choice.logprobs?.content ?? [])).toEqual(logprobs?.content ?? []);
        }
        expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
      }),
      { numRuns: 100 },
    );
  });

  test("is there at once at an instant pace", async () => {
    const clock = createManualClock();
    await stream(createEngine({ clock }), ask(question));
    expect(clock.pending).toBe(0);
  });

  /** When each chunk came, in milliseconds from the start. */
  async function timesOf(pace: "realistic" | number, content: string): Promise<number[]> {
    const clock = createManualClock();
    const start = clock.now();
    const { signal } = new AbortController();
    const reply = await createEngine({ clock, pace }).stream({
      request: ask(content),
      requestId: "1",
      line: null,
      signal,
    });
    if (!("chunks" in reply)) throw new Error("no stream");
    const times: number[] = [];
    const reading = (async () => {
      for await (const _ of reply.chunks) times.push(clock.now() - start);
    })();
    await clock.advance(60_000);
    await reading;
    return times;
  }

  test("begins after about 0.3 s at a realistic pace, and goes on with 60 tokens a second", async () => {
    const firsts: number[] = [];
    for (let index = 0; index < 200; index++) {
      const times = await timesOf("realistic", `question ${index}`);
      const [first = 0] = times;
      firsts.push(first);
      const perSecond = (times.length - 1) / (((times.at(-1) ?? 0) - first) / 1_000);
      expect(perSecond).toBeGreaterThan(55);
      expect(perSecond).toBeLessThan(65);
    }
    const median = firsts.toSorted((a, b) => a - b)[100] ?? 0;
    expect(median).toBeGreaterThan(250);
    expect(median).toBeLessThan(350);
  });

  test("takes as long as an answer in one piece when the pace is a number", async () => {
    const times = await timesOf(1_000, question);
    expect(times.at(-1)).toBeCloseTo(1_000, 0);
    expect(times[0]).toBeLessThan(100);
  });

  test("keeps its pace while the wall clock is set back", async () => {
    const machine = createFakeMachine();
    const clock = createSystemClock(machine);
    const whole = stream(createEngine({ clock, pace: "realistic" }), ask(question));
    await machine.advance(500);
    machine.setWall(machine.wall() - 3_600_000);
    await machine.advance(60_000);
    expect(machine.pending).toBe(0);
    expect((await whole).length).toBeGreaterThan(1);
  });

  test("stops with the signal's reason, before, during and between its pauses", async () => {
    const reason = new Error("stopped");
    await expect(stream(createEngine(), ask(question), AbortSignal.abort(reason))).rejects.toBe(reason);

    const clock = createManualClock();
    const waiting = new AbortController();
    const reading = stream(createEngine({ clock, pace: "realistic" }), ask(question), waiting.signal);
    const outcome = expect(reading).rejects.toBe(reason);
    await clock.advance(500);
    waiting.abort(reason);
    await outcome;
    expect(clock.pending).toBe(0);
  });
});
