import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeTempDir } from "../../service/testing/index.ts";
import { type ScannedLine, type ScanOptions, scanLines, streamLines } from "./scan-lines.ts";

async function scan(content: string | Uint8Array, options?: ScanOptions): Promise<ScannedLine[]> {
  const path = join(await makeTempDir(), "lines");
  await writeFile(path, content);
  const lines: ScannedLine[] = [];
  await scanLines(path, (line) => lines.push(line), options);
  return lines;
}

function texts(lines: readonly ScannedLine[]): (string | null)[] {
  return lines.map(({ bytes }) => bytes?.toString() ?? null);
}

test("lines come without their ends, and with where they are", async () => {
  const lines = await scan("one\r\ntwo\n\nlast");
  expect(texts(lines)).toEqual(["one", "two", "", "last"]);
  expect(lines.map(({ start, end, terminated }) => [start, end, terminated])).toEqual([
    [0, 5, true],
    [5, 9, true],
    [9, 10, true],
    [10, 14, false],
  ]);
});

test("a byte-order mark at the start is no part of the first line", async () => {
  const lines = await scan("\uFEFFone\n\uFEFFtwo\n");
  expect(texts(lines)).toEqual(["one", "\uFEFFtwo"]);
  expect(lines[0]?.start).toBe(3);
});

test("a stream is split at line feeds alone, wherever its pieces end", async () => {
  const lines = ["a\u2028b\u2029c\u0085d\ve\ff\rg", "Ümläut 🎈", "", "last"];
  const bytes = Buffer.from(lines.join("\n"));
  for (const size of [1, 3, 7, bytes.length]) {
    async function* pieces() {
      for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
    }
    expect(await Array.fromAsync(streamLines(pieces()))).toEqual(lines);
  }
});

test("an empty file has no lines", async () => {
  expect(await scan("")).toEqual([]);
});

describe("large files", () => {
  test("lines that go over several chunks are put together", async () => {
    const long = "x".repeat(700_000);
    expect(texts(await scan(`a\n${long}\nb\n${long}`))).toEqual(["a", long, "b", long]);
  });

  test("a line over the limit comes without its bytes; the next one is whole", async () => {
    const lines = await scan(`a\n${"x".repeat(700_000)}\nb\n`, { maxLineBytes: 1_000 });
    expect(texts(lines)).toEqual(["a", null, "b"]);
    expect(lines[2]?.start).toBe(700_003);
  });

  test("tells of progress by chunk and stops when told to", async () => {
    const content = "line\n".repeat(200_000);
    const seen: number[] = [];
    await scan(content, { onChunk: (bytes, total) => seen.push(bytes / total) });
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.at(-1)).toBe(1);

    const stop = new AbortController();
    const stopped = scan(content, { signal: stop.signal, onChunk: () => stop.abort(new Error("enough")) });
    await expect(stopped).rejects.toThrow("enough");
  });
});

test("lines and their ends are the whole file, whatever its bytes", async () => {
  const text = fc.array(fc.constantFrom("a", "é", "\n", "\r\n", "\r", "\uFEFF", " "), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(text, async (parts) => {
      const content = Buffer.from(parts.join(""));
      const lines = await scan(content);
      const ends = lines.map(({ end }) => end);
      expect(lines.map(({ start }) => start)).toEqual(
        lines.map((_, at) => (at === 0 ? startOf(content) : ends[at - 1])),
      );
      expect(ends.at(-1) ?? 0).toBe(content.length);
      expect(texts(lines).join("\n")).toBe(
        content.subarray(startOf(content)).toString().replaceAll("\r\n", "\n").replace(/\n$/, ""),
      );
    }),
    { numRuns: 100 },
  );
});

function startOf(content: Buffer): number {
  return content.subarray(0, 3).equals(Buffer.from("\uFEFF")) ? 3 : 0;
}
