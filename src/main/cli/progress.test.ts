import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createFakeMachine } from "../service/testing/index.ts";
import { createProgress } from "./progress.ts";

function createTerminal(isTTY: boolean) {
  const stream = Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY });
  return { stream, read: (): string => stream.read() ?? "" };
}

const phrase = (done: number, total: number) => `${done} of ${total} requests`;

test("without a terminal, lines come after two seconds and then every ten", async () => {
  const { stream, read } = createTerminal(false);
  const machine = createFakeMachine();
  const progress = createProgress({ label: "Running", phrase, silent: false, io: { stderr: stream, machine } });
  for (let done = 0; done <= 26; done++) {
    progress.update(done, 40);
    await machine.advance(500);
  }
  progress.stop();
  expect(read()).toBe("Running: 10%, 4 of 40 requests\nRunning: 60%, 24 of 40 requests\n");
});

test("work that is quickly done prints no progress without a terminal", () => {
  const { stream, read } = createTerminal(false);
  const progress = createProgress({
    label: "Running",
    phrase,
    silent: false,
    io: { stderr: stream, machine: createFakeMachine() },
  });
  progress.update(40, 40);
  progress.stop();
  expect(read()).toBe("");
});

test("a terminal gets a bar that is gone at the end", () => {
  const { stream, read } = createTerminal(true);
  const progress = createProgress({
    label: "Running",
    phrase,
    silent: false,
    io: { stderr: stream, machine: createFakeMachine() },
  });
  progress.update(10, 40);
  progress.stop();
  expect(read()).toMatch(/Running .*25% · 10 of 40 requests/);
});

test.each([
  { rounds: 1, silence: 0, shown: "10 of 100 requests" },
  { rounds: 3, silence: 0, shown: "30 of 100 requests · 39 s left" },
  { rounds: 3, silence: 60_000, shown: "30 of 100 requests · 3 min left" },
])(
  "after $rounds rounds and $silence ms of silence the bar tells the time left",
  async ({ rounds, silence, shown }) => {
    const { stream, read } = createTerminal(true);
    const machine = createFakeMachine();
    const io = { stderr: stream, machine };
    const progress = createProgress({ label: "Running", phrase, silent: false, inFlight: 10, io });
    progress.update(0, 100);
    for (let round = 1; round <= rounds; round++) {
      await machine.advance(5_500);
      progress.update(round * 10, 100);
    }
    await machine.advance(silence);
    progress.stop();
    const text = read();
    expect(text).toContain(shown);
    expect(text.includes("left")).toBe(rounds > 1);
  },
);

test("silent means that nothing is written", () => {
  const { stream, read } = createTerminal(true);
  const progress = createProgress({
    label: "Running",
    phrase,
    silent: true,
    io: { stderr: stream, machine: createFakeMachine() },
  });
  progress.update(10, 40);
  progress.stop();
  expect(read()).toBe("");
});
