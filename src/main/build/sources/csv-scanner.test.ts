import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type CsvDialect, createCsvScanner, plainDialect } from "./csv-scanner.ts";

interface Found {
  readonly end: number;
  /** Null for a line that can't be read. */
  readonly cells: readonly string[] | null;
}

/** All records of a text that comes in windows: each ends after some bytes more, until a record is whole. */
function scan(text: string, dialect: CsvDialect = plainDialect, windowBytes = Number.POSITIVE_INFINITY): Found[] {
  const bytes = Buffer.from(text);
  const scanner = createCsvScanner(dialect);
  const found: Found[] = [];
  let at = 0;
  let length = windowBytes;
  while (at < bytes.length) {
    const window = bytes.subarray(at, at + length);
    const isLast = at + length >= bytes.length;
    const result = scanner.next(window, 0, isLast);
    if (result === "nothing") break;
    if (result === "incomplete") {
      length += windowBytes;
      continue;
    }
    const cells = Array.from({ length: scanner.width }, (_, cell) => scanner.text(window, cell));
    found.push({ end: at + scanner.end, cells: result === "record" ? cells : null });
    at += scanner.end;
    length = windowBytes;
  }
  return found;
}

/** The same rules, one character after the other. */
function readSlowly(text: string): Found[] {
  const found: Found[] = [];
  const lineEnd = (at: number) => (text[at] === "\r" && text[at + 1] === "\n" ? at + 2 : at + 1);
  const isEnd = (at: number) => at >= text.length || text[at] === "\n" || text[at] === "\r";
  let at = 0;
  for (;;) {
    while (at < text.length && isEnd(at)) at = lineEnd(at);
    if (at >= text.length) return found;
    const start = at;
    let cells: string[] | null = [];
    for (;;) {
      let cell = "";
      if (text[at] === '"') {
        at += 1;
        for (; at < text.length; at++) {
          if (text[at] !== '"') cell += text[at];
          else if (text[at + 1] === '"') {
            cell += '"';
            at += 1;
          } else break;
        }
        const isClosed = at < text.length;
        at += 1;
        while (text[at] === " " || text[at] === "\t") at += 1;
        if (!isClosed || !(isEnd(at) || text[at] === ",")) {
          cells = null;
          break;
        }
      } else for (; !isEnd(at) && text[at] !== ","; at++) cell += text[at];
      cells.push(cell);
      if (isEnd(at)) break;
      at += 1;
    }
    // A line that can't be read ends where it would without quotes.
    if (cells === null) for (at = start; !isEnd(at); ) at += 1;
    at = at >= text.length ? text.length : lineEnd(at);
    found.push({ end: at, cells });
  }
}

const messy = fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", " ", "a", "b", "\\"), maxLength: 60 });

it("cuts any text as a reader does that looks at one character after the other, whatever the window", () => {
  fc.assert(
    fc.property(messy, fc.integer({ min: 1, max: 20 }), (text, windowBytes) => {
      const slow = readSlowly(text);
      expect(scan(text)).toEqual(slow);
      expect(scan(text, plainDialect, windowBytes)).toEqual(slow);
    }),
    { numRuns: 3_000 },
  );
});

it("cuts a table that is well written as csv-parse does", () => {
  const cell = fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", " ", "a", "é", "𝄞"), maxLength: 8 });
  const write = (text: string) => (/[",\r\n]/.test(text) || text === "" ? `"${text.replaceAll('"', '""')}"` : text);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }),
      fc.constantFrom("\n", "\r\n", "\r"),
      (rows, lineEnd) => {
        const text = rows.map((row) => row.map(write).join(",") + lineEnd).join("");
        const options = { record_delimiter: ["\r\n", "\n", "\r"], skip_empty_lines: true };
        expect(scan(text).map(({ cells }) => cells)).toEqual(parse(text, options));
      },
    ),
    { numRuns: 500 },
  );
});

it.each<[name: string, dialect: Partial<CsvDialect>, text: string, cells: (string[] | null)[]]>([
  ["a backslash before quotes", { escape: "\\" }, 'a,"x \\"y\\", z","C:\\dir"\n', [["a", 'x "y", z', "C:\\dir"]]],
  ["a backslash outside of quotes", { escape: "\\" }, "a,x\\, y\n", [["a", "x, y"]]],
  ["a backslash that is text", {}, '"C:\\dir\\",b\n', [["C:\\dir\\", "b"]]],
  ["spaces before quotes", { trim: true }, 'a, "b, c",  d\n', [["a", "b, c", "d"]]],
  ["spaces that are text", {}, "a, b\n", [["a", " b"]]],
  ["apostrophes for quotes", { quote: "'" }, "'a, b','it''s'\n", [["a, b", "it's"]]],
  ["no quotes", { quote: null }, 'a "b,"c\n', [['a "b', '"c']]],
  [
    "comments",
    { comment: "#" },
    "# one\na,b\n#two\nc,#d\n",
    [
      ["a", "b"],
      ["c", "#d"],
    ],
  ],
  ["a delimiter of several bytes", { delimiter: "¦" }, '"a¦"¦b¦§\n', [["a¦", "b", "§"]]],
  [
    "a byte-order mark of a file that was joined",
    {},
    "a,b\n\ufeffc,d\n",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  [
    "carriage returns alone, also two",
    {},
    "a,b\r\r\n\rc,d\r",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  ["a NUL", {}, "a\0b,c\n", [["a\0b", "c"]]],
  ["a quote that is not closed", {}, 'a,"b\nc,"d"\n', [null, ["c", "d"]]],
  ["a quote that is not doubled", {}, '"a "b" c",d\ne,f\n', [null, ["e", "f"]]],
])("reads %s", (_name, dialect, text, cells) => {
  const found = scan(text, { ...plainDialect, ...dialect }).map((record) => record.cells);
  expect(found).toEqual(cells);
  const slow = scan(text, { ...plainDialect, ...dialect }, 1).map((record) => record.cells);
  expect(slow).toEqual(cells);
});
