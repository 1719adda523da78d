import { expect, test } from "vitest";
import { createFakeMachine } from "./clock/fake-machine.ts";
import { createLogger, type LogLevel } from "./logger.ts";

function record(level?: LogLevel) {
  const lines: string[] = [];
  const machine = createFakeMachine(Date.UTC(2026, 0, 2));
  return { lines, logger: createLogger({ ...(level && { level }), machine, write: (line) => lines.push(line) }) };
}

test("a message is one line with its time, level and fields", () => {
  const { lines, logger } = record();
  logger.info("A batch changed", { batch: "batch_1", lines: 3, failed: false, note: 'two words, "quoted"' });
  expect(lines).toEqual([
    '2026-01-02T00:00:00.000Z INFO  A batch changed batch=batch_1 lines=3 failed=false note="two words, \\"quoted\\""\n',
  ]);
});

test("line ends in a message or a field do not start another line", () => {
  const { lines, logger } = record();
  logger.error("first\nsecond", { error: "a\r\nb" });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/);
});

test("levels below the one that is asked for are not written", () => {
  const { lines, logger } = record("warn");
  logger.debug("a");
  logger.info("b");
  logger.warn("c");
  logger.error("d");
  expect(lines).toHaveLength(2);
});
