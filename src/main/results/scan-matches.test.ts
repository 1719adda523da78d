import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { foldText } from "#contract";
import { makeTempDir } from "../service/testing/index.ts";
import { listKnownLines } from "./known-lines.ts";
import { createLineIndex } from "./line-index.ts";
import { scanRequests } from "./request-lines.ts";
import { scanMatches } from "./scan-matches.ts";

async function find(path: string, text: string): Promise<number[]> {
  const starts: number[] = [];
  const { starts: requestStarts, checksums } = await scanRequests(path);
  const { lineAt: _, ...known } = listKnownLines(createLineIndex(requestStarts, checksums).columns, "input");
  for await (const matches of scanMatches(path, known, text)) starts.push(...matches.starts);
  return starts;
}

/** Writes every character that may be escaped as an escape, as some programs do. */
function escapeAll(json: string): string {
  return json.replaceAll(/[<>&'\u007f-\uffff]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${code}`;
  });
}

test("a text is found in exactly the lines whose values hold it, however they are written", async () => {
  const path = join(await makeTempDir(), "lines.jsonl");
  const word = fc.constantFrom(
    "Straße",
    "naïve",
    'say "no"',
    "a\\b",
    "1 < 2",
    "ответ",
    "学",
    "🙂",
    "tab\there",
    "Déjà VU",
    "x/y",
    "tiếng",
    "한국",
    "cafe",
  );
  const form = fc.constantFrom("NFC" as const, "NFD" as const);
  const texts = fc.array(
    fc.tuple(fc.array(word, { maxLength: 3 }), form).map(([words, form]) => words.join(" ").normalize(form)),
    { minLength: 1, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.boolean(),
      word,
      fc.nat(9),
      fc.nat(9),
      form,
      async (lines, escapes, from, first, length, form) => {
        const wanted = [...from]
          .slice(first % [...from].length)
          .slice(0, length + 1)
          .join("")
          .toUpperCase()
          .normalize(form);
        const written = lines.map((content) => {
          const json = JSON.stringify({ custom_id: "z", body: { messages: [{ role: "user", content }] } });
          return escapes ? escapeAll(json) : json;
        });
        let start = 0;
        const starts = written.map((line) => {
          start += Buffer.byteLength(line) + 1;
          return start - Buffer.byteLength(line) - 1;
        });
        await writeFile(path, written.map((line) => `${line}\n`).join(""));
        const expected = starts.filter((_, at) => foldText(`z\n${lines[at]}`).includes(foldText(wanted)));
        expect(await find(path, wanted)).toEqual(expected);
      },
    ),
    { numRuns: 200 },
  );
});

test("what only says how a line is built is not found, and a line longer than a chunk is", async () => {
  const path = join(await makeTempDir(), "lines.jsonl");
  const line = (content: string) =>
    `${JSON.stringify({ custom_id: "a", body: { messages: [{ role: "user", content }] } })}\n`;
  const long = line(`${"x".repeat(9 * 1024 * 1024)} needle`);
  await writeFile(path, line("first"));
  await appendFile(path, long);
  await appendFile(path, line("Needle, without a line end").trimEnd());
  expect(await find(path, "user")).toEqual([]);
  expect(await find(path, "needle")).toEqual([line("first").length, line("first").length + long.length]);
});
