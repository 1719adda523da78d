import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readLines } from "./lines.ts";

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-lines-"));
  path = join(folder, "content");
});
afterAll(() => rm(folder, { recursive: true }));

it("gives every line whatever the window, and can start after any line", async () => {
  const line = fc.string({ unit: fc.constantFrom("a", "é", " ", "{", "𝄞"), maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1 }),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      fc.integer({ min: 1, max: 40 }),
      async (lines, lineEnd, closed, windowBytes) => {
        await writeFile(path, lines.join(lineEnd) + (closed ? lineEnd : ""));
        const expected = closed || lines.at(-1) !== "" ? lines : lines.slice(0, -1);
        const read = async (start: number) => (await Array.fromAsync(readLines(path, { start, windowBytes }))).flat();
        const found = await read(0);
        expect(found.map(({ bytes }) => bytes.toString("utf8"))).toEqual(expected);
        const middle = Math.floor(found.length / 2);
        expect(await read(found[middle]?.end ?? 0)).toEqual(found.slice(middle + 1));
      },
    ),
    { numRuns: 60 },
  );
});

it("has no more of an endless line in memory than the longest it takes, and finds the next one", async () => {
  await writeFile(path, `${"x".repeat(1000)}\nnext\n`);
  const [long, next] = (await Array.fromAsync(readLines(path, { start: 0, windowBytes: 16, maxLineBytes: 50 }))).flat();
  expect(long).toMatchObject({ cut: true, end: 1001 });
  expect(long?.bytes.length).toBe(50);
  expect(next?.bytes.toString()).toBe("next");
});
