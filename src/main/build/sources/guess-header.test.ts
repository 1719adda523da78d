import { expect, it } from "vitest";
import { guessHeader } from "./guess-header.ts";

/** Rows as they are written here: one a line, cells between bars. */
function table(text: string): string[][] {
  return text
    .trim()
    .split("\n")
    .map((line) => line.trim())
    .map((line) => (line === "-" ? [] : line.split("|").map((cell) => cell.trim())));
}

it.each<[name: string, header: number | null, skip: number, rows: string]>([
  ["a header and rows", 1, 0, "id|name|score\n1|Ann|3\n2|Bob|4"],
  ["a header above texts alone", 1, 0, "question|answer\nWhy|Because\nHow|So"],
  ["a header and no row", 1, 0, "id|Order date|amount"],
  ["one column with a name", 1, 0, "question\nWhat is 2 + 2?\nWhat is 3 + 3?"],
  ["one column of sentences", null, 0, "What is 2 + 2?\nWhat is 3 + 3?"],
  ["one column of numbers", null, 0, "1\n2\n3"],
  ["numbers only", null, 0, "1|2|3\n4|5|6"],
  ["rows without a header", null, 0, "1|Ann\n2|Bob"],
  ["a row of data alone", null, 0, "What is 2 + 2?|4"],
  ["nothing", null, 0, "-\n-"],
  ["names that repeat", 1, 0, "id|score|score\n1|2|3\n2|3|4"],
  ["a first column without a name", 1, 0, "|age|city\nann|unknown|Berlin\nbob|5|Rome\ncid|7|Oslo"],
  ["a title above the header", 2, 0, "Tickets of May\nid|text|score\n1|Late again.|3\n2|Broken.|4"],
  ["a title, padded as spreadsheets write it", 2, 0, "Tickets of May||\nid|text|score\n1|Late again.|3\n2|Broken.|4"],
  ["a title, a blank row and a header", 3, 0, "Tickets\n-\nid|text|score\n1|Late again.|3\n2|Broken.|4"],
  ["blank rows above the header", 3, 0, "-\n-\nid|text\n1|Late again.\n2|Broken."],
  ["a title above a header without rows", 3, 0, "Tickets\n-\nid|text|score"],
  ["a title with a comma in it", 2, 0, "Report|May 2024\nid|text|score\n1|Late again.|3\n2|Broken.|4"],
  ["a title in merged cells that repeat it", 2, 0, "Report|Report|Report\nid|text|score\n1|Late.|3\n2|Broken.|4"],
  ["group names in merged cells", 2, 0, "|Q1||Q2|\nshop|sales|cost|sales|cost\nA|1|2|3|4\nB|2|3|4|5"],
  [
    "title, notes, a blank row and a header",
    5,
    0,
    "Tickets\nExported|2024-05-01\nRows|500\n-\nid|text|score|day\n1|Late.|3|Mon\n2|Broken.|4|Tue",
  ],
  [
    "notes as wide as the table",
    4,
    0,
    "Exported|2024-05-01\nRows|500\n-\nid|text\n1|Late again.\n2|Broken.\n3|Lost.\n4|Found?",
  ],
  ["notes just above the header", 3, 0, "Exported|2024-05-01\nRows|500\nid|text|score\n1|Late again.|3\n2|Broken.|4"],
  ["a title above one column", 3, 0, "Customer feedback, May\n-\nfeedback\nLate again.\nBroken.\nThank you!"],
  ["paragraphs", null, 0, "A poem about the sea.\n-\nShort names\nTell me a joke.\nSay hello.\nSing!"],
  ["blank rows between the rows", 1, 0, "name|city\nAnn|Berlin\n-\nBob|Paris\nCid|Rome\nEve|Oslo"],
  ["a blank row below the header", 1, 0, "name|state\n-\nBob|late\n5|Ann\nCid|late\n2|Eve"],
  ["a second, larger table", 1, 0, "name|age\nAnn|5\nBob|6\n-\nshop|sales\nA|1\nB|2\nC|3\nD|4"],
  ["a note next to a row", 1, 0, "name|age\nAnn|5\nBob|unknown|see note\nCid|6\nEve|7\nFay|8"],
  ["a row of units", 1, 1, "place|heat|weight\n|°C|kg\nA|20.5|3\nB|21|4"],
  ["units in brackets", 2, 1, "Measurements\nplace|heat\n[name]|[°C]\nA|20,5\nB|21"],
  ["a first row without values", 1, 0, "place|heat|weight\n|n/a|n/a\nA|20.5|3\nB|21|4"],
  ["a first row with a text among its values", 1, 0, "place|heat\nA|broken\nB|21\nC|20"],
  ["a title above numbers", null, 1, "Measurements\n1|2|3\n4|5|6"],
  ["questions above texts", 1, 0, "Name|What did you like?|And not?\nAnn|The shop.|Nothing.\nBob|Nothing.|The queue."],
  [
    "one column with a question above texts",
    1,
    0,
    "What did you like?\nThe shop was nice.\nNothing at all.\nThe queue.",
  ],
  ["names that end with a dot", 1, 0, "No.|Text|Cat.\n1|It is late.|a\n2|It is lost.|b\n3|It is fine.|a"],
  ["names with a line break in them", 1, 0, "id|Score !\n1|5\n2|4"],
  ["years", 1, 0, "Country|2019|2020|2021\nA|0|1|2\nB|10|12|13\nC|7|8|9"],
  ["days", 1, 0, "Country|1/22/20|1/23/20\nA|0|1\nB|10|12\nC|7|8"],
  ["a long name", 1, 0, `id|${"In your own words, what happened when you called us ".repeat(3)}\n1|Late.\n2|Lost.`],
  ["labels that repeat", null, 0, "positive|A good film.\nnegative|A bad film.\npositive|I like it."],
  ["years of data", null, 0, "2019|A\n2020|B\n2021|C"],
  ["texts alone, in doubt", 1, 0, "Paris|France\nRome|Italy\nOslo|Norway"],
  [
    "Qualtrics, with its questions and ids",
    1,
    2,
    'StartDate|Q1\nStart Date|How happy are you?\n{"ImportId":"startDate"}|{"ImportId":"QID1"}\n2026-10-01|1\n2026-10-02|2',
  ],
  ["a sparse first row of data", null, 0, "|Ann|\n1|Bob|3\n2|Cid|4"],
])("of %s: row %s names the columns, and %s after it are left out", (_name, header, skip, rows) => {
  expect(guessHeader(table(rows))).toMatchObject({ header, skip });
});

it("says where a row may be a header as well as data", () => {
  const isDoubtful = (rows: string) => guessHeader(table(rows)).isDoubtful;
  expect(isDoubtful("Paris|France\nRome|Italy\nOslo|Norway")).toBe(true);
  expect(isDoubtful("Say hello to all.\nTell me a joke now\nSing a song")).toBe(true);
  expect(isDoubtful("id|name\n1|Ann\n2|Bob")).toBe(false);
  expect(isDoubtful("1|Ann\n2|Bob")).toBe(false);
});
