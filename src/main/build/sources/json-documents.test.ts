import { expect, it } from "vitest";
import { readJsonDocument } from "./json-documents.ts";

/** The rows of a document that comes in pieces of a few bytes. */
async function rowsOf(text: string, pieceBytes = 7): Promise<unknown[]> {
  const bytes = Buffer.from(text);
  const pieces = readJsonDocument(async function* () {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield Buffer.from(bytes.subarray(at, at + pieceBytes));
  });
  const lines = Buffer.concat(await Array.fromAsync(pieces)).toString("utf8");
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

const two = [
  { id: 1, text: "a, [b]" },
  { id: 2, text: "c" },
];

it.each([
  ["an array", '[{"id":1,"text":"a, [b]"},{"id":2,"text":"c"},]'],
  ["several objects on a line", '{"id":1,"text":"a, [b]"}{"id":2,"text":"c"}'],
  ["several objects over several lines", '{\n "id": 1,\n "text": "a, [b]"\n}\n{\n "id": 2, "text": "c" }\n'],
  ["objects with marks and separators between them", '\ufeff{"id":1,"text":"a, [b]"},\r\ufeff{"id":2,"text":"c"},\r'],
  ["several arrays", '[{"id":1,"text":"a, [b]"}]\n[{"id":2,"text":"c"}]'],
  [
    "the largest array of objects",
    '{"n":["many","texts","here"],"data":[{"id":1,"text":"a, [b]"},{"id":2,"text":"c"}]}',
  ],
  ["pandas, records", '[{"id":1,"text":"a, [b]"},{"id":2,"text":"c"}]'],
  ["pandas, split", '{"columns":["id","text"],"index":[5,6],"data":[[1,"a, [b]"],[2,"c"]]}'],
  ["pandas, columns", '{"id":{"10":1,"9":2},"text":{"10":"a, [b]","9":"c"}}'],
  ["pandas, index", '{"0":{"id":1,"text":"a, [b]"},"1":{"id":2,"text":"c"}}'],
  ["pandas, table", '{"schema":{"fields":[{"name":"id"}]},"data":[{"id":1,"text":"a, [b]"},{"id":2,"text":"c"}]}'],
  ["lists by column", '{"id":[1,2],"text":["a, [b]","c"]}'],
  ["an array of arrays", '[["id","text"],[1,"a, [b]"],[2,"c"]]'],
  ["arrays on lines of their own", '["id","text"]\n[1,"a, [b]"]\n[2,"c"]'],
  ["Google Sheets", '{"range":"A1:B3","majorDimension":"ROWS","values":[["id","text"],[1,"a, [b]"],[2,"c"]]}'],
  ["Google Sheets by columns", '{"majorDimension":"COLUMNS","values":[["id",1,2],["text","a, [b]","c"]]}'],
  [
    "Google Sheets, several ranges asked for",
    '{"spreadsheetId":"x","valueRanges":[{"range":"A1:B3","values":[["id","text"],[1,"a, [b]"],[2,"c"]]}]}',
  ],
  ["an array further inside", '{"result":{"items":[{"id":1,"text":"a, [b]"},{"id":2,"text":"c"}]}}'],
  ["records with separators", '\u001e{"id":1,"text":"a, [b]"}\n\u001e{"id":2,"text":"c"}\n'],
])("gives the rows of %s", async (_name, text) => {
  expect(await rowsOf(text)).toEqual(two);
  expect(await rowsOf(text, 1_000)).toEqual(two);
});

it("keeps the keys of rows that are not just counted", async () => {
  const rows = await rowsOf('{"u7":{"a":1,"b":2},"u3":{"a":3,"b":4},"u5":{"a":5,"b":6}}');
  expect(rows[0]).toEqual({ key: "u7", a: 1, b: 2 });
  expect(rows).toHaveLength(3);
});

it("names the columns of arrays that have no header, and keeps values beyond it", async () => {
  expect(await rowsOf("[[1,2],[3,4]]")).toEqual([
    { column_1: 1, column_2: 2 },
    { column_1: 3, column_2: 4 },
  ]);
  expect(await rowsOf('[["id","text"],[1,"a",true]]')).toEqual([{ id: 1, text: "a", column_3: true }]);
});

it.each([
  ["an object of values", '{"q":"Why?","meta":{"lang":"en"},"tags":["a","b"]}'],
  ["objects that are no rows", '{"meta":{"lang":"en"},"user":{"name":"Ann"}}'],
])("takes any other document for one row: %s", async (_name, text) => {
  expect(await rowsOf(text)).toEqual([JSON.parse(text)]);
});
