import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createProgress } from "./progress.ts";

function createTerminal(isTTY: boolean) {
  const stream = Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY });
  return { stream, read: (): string => stream.read() ?? "" };
}

const phrase = (done: number, total: number) => `${done} of ${total} requests`;

test("without a terminal, lines come after two seconds and then every ten", () => {
  const { stream, read } = createTerminal(false);
  let time = 0;
  const progress = createProgress({ label: "Running", phrase, silent: false, stream, now: () => time });
  for (time = 0; time <= 13_000; time += 500) progress.update(time / 500, 40);
  progress.stop();
  expect(read()).toBe("Running: 10%, 4 of 40 requests\nRunning: 60%, 24 of 40 requests\n");
});

test("work that is quickly done prints no progress without a terminal", () => {
  const { stream, read } = createTerminal(false);
  const progress = createProgress({ label: "Running", phrase, silent: false, stream });
  progress.update(40, 40);
  progress.stop();
  expect(read()).toBe("");
});

test("a terminal gets a bar that is gone at the end", () => {
  const { stream, read } = createTerminal(true);
  const progress = createProgress({ label: "Running", phrase, silent: false, stream });
  progress.update(10, 40);
  progress.stop();
  expect(read()).toMatch(/Running .*25% · 10 of 40 requests/);
});

test("silent means that nothing is written", () => {
  const { stream, read } = createTerminal(true);
  const progress = createProgress({ label: "Running", phrase, silent: true, stream });
  progress.update(10, 40);
  progress.stop();
  expect(read()).toBe("");
});
