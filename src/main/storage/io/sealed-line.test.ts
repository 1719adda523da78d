import { expect, test } from "vitest";
import { findSealed, isSealed, sealLine } from "./sealed-line.ts";

test("a sealed line is JSON with the checksum as its last member, and shows each changed byte", () => {
  const line = sealLine({ kind: "a", text: 'ü "\u2028\n', seq: 7 }).subarray(0, -1);
  expect(JSON.parse(line.toString())).toEqual({
    kind: "a",
    text: 'ü "\u2028\n',
    seq: 7,
    crc: expect.stringMatching(/^[0-9a-f]{8}$/),
  });
  expect(isSealed(line)).toBe(true);
  for (let at = 0; at < line.length; at++) {
    for (const changed of [line.with(at, (line[at] ?? 0) ^ 1), line.subarray(0, at)]) {
      expect(isSealed(changed), `byte ${at}`).toBe(false);
    }
  }
});

test("lines are found although the line feed between them is damaged", () => {
  const lines = [1, 2, 3].map((seq) => sealLine({ seq }));
  const bytes = Buffer.concat(lines);
  bytes[(lines[0]?.length ?? 0) - 1] = 0x0b;
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = lines;
  expect(findSealed(bytes.subarray(0, first.length + second.length - 1))).toEqual([
    { start: 0, line: first.subarray(0, -1) },
    { start: first.length, line: second.subarray(0, -1) },
  ]);
  expect(findSealed(Buffer.alloc(600))).toEqual([]);
});
