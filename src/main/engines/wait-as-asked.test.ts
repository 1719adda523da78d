import { expect, test } from "vitest";
import { createManualClock, type EngineCall, type EngineReply } from "#main/base";
import { createEngineError } from "./engine-error.ts";
import { waitAsAsked } from "./wait-as-asked.ts";

const answer: EngineReply = { statusCode: 200, body: { choices: [] } };
const refuse = (retryAfter?: number, code = "rate_limit") =>
  createEngineError({ status: 429, message: "Slow down.", code, retryAfter });

/** An engine that gives these in turn, the last one for ever, with how often it was asked. */
function serve(...replies: readonly EngineReply[]) {
  const clock = createManualClock();
  let asked = 0;
  const engine = waitAsAsked(
    {
      async complete(_call: EngineCall) {
        asked += 1;
        return replies[Math.min(asked, replies.length) - 1] ?? answer;
      },
    },
    clock,
  );
  const waits: number[] = [];
  const sent: boolean[] = [];
  const call = (): EngineCall => ({
    request: { model: "m", messages: [] },
    requestId: "r",
    line: null,
    signal: new AbortController().signal,
    onWait: (wait) => waits.push(wait),
    onSent: (isSent) => sent.push(isSent),
  });
  return { clock, ask: async () => engine.complete(call()), asked: () => asked, waits, sent };
}

test("a call waits as long as its server asks, and no other is sent meanwhile", async () => {
  const { clock, ask, asked, waits, sent } = serve(refuse(300), answer);
  const first = ask();
  await expect.poll(() => waits).toEqual([300_000]);
  const second = ask();
  await clock.advance(299_999);
  expect(asked()).toBe(1);
  await clock.advance(1);
  expect(await Promise.all([first, second])).toEqual([answer, answer]);
  expect([asked(), sent]).toEqual([3, [false, false, true, true]]);
});

test("no wait is made up, and none is longer than ten minutes or for what doesn't pass", async () => {
  for (const refusal of [refuse(), refuse(601), refuse(5, "insufficient_quota")]) {
    const { ask, asked } = serve(refusal);
    expect(await ask()).toEqual(refusal);
    expect(asked()).toBe(1);
  }
});

test("a server that asks again and again is given up after half an hour", async () => {
  const { clock, ask, asked, waits } = serve(refuse(600));
  const asking = ask();
  for (const count of [1, 2, 3]) {
    await expect.poll(() => waits.length).toBe(count);
    await clock.advance(600_000);
  }
  expect(await asking).toEqual(refuse(600));
  expect(asked()).toBe(4);
});
