import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeNotes, type SourceLayout } from "#contract";
import { tablesFolder } from "../../testing/odd-tables.ts";
import { indexSource } from "../index-source.ts";
import { readSomeRows } from "../read-rows.ts";
import type { SourceIndex } from "../stored-source.ts";

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-workbooks-"));
  path = join(folder, "content");
});
afterAll(() => rm(folder, { recursive: true }));

type Parts = Readonly<Record<string, string>>;

function zipOf(parts: Parts): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)])));
}

async function read(content: Uint8Array | string, layout: Partial<SourceLayout> = {}): Promise<SourceIndex> {
  await writeFile(path, content);
  const wanted = { csv: null, encoding: null, sheet: null, ...layout };
  const last = (await Array.fromAsync(indexSource(path, "book.xlsx", wanted))).at(-1);
  if (last?.phase !== "indexed") throw new Error("The reading ended without an index.");
  return last.index;
}

async function cells(source: SourceIndex): Promise<(readonly string[])[]> {
  return (await readSomeRows(join(folder, source.content), source, 1, 20)).map((row) => row.cells);
}

const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const text = (reference: string, value: string) => `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
const row = (number: number, ...texts: readonly string[]) =>
  `<row r="${number}">${texts.map((value, at) => text(`${"ABCDEF"[at]}${number}`, value)).join("")}</row>`;

interface SheetContent {
  readonly name: string;
  readonly rows: string;
  readonly state?: string;
}

/** A workbook of these sheets; `formats` are the number formats of its styles. */
function bookOf(sheets: readonly SheetContent[], formats: readonly string[] = [], more: Parts = {}): Parts {
  const list = sheets.map(
    ({ name, state = "visible" }, at) => `<sheet name="${name}" state="${state}" r:id="r${at}"/>`,
  );
  const relations = sheets.map(
    (_, at) => `<Relationship Id="r${at}" Type="x/worksheet" Target="worksheets/sheet${at}.xml"/>`,
  );
  const codes = formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join("");
  const styles = formats.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join("");
  return {
    "xl/workbook.xml": `<workbook xmlns:r="r"><sheets>${list.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${relations.join("")}</Relationships>`,
    "xl/styles.xml": `<styleSheet><numFmts>${codes}</numFmts><cellXfs><xf numFmtId="0"/>${styles}</cellXfs></styleSheet>`,
    ...Object.fromEntries(sheets.map(({ rows }, at) => [`xl/worksheets/sheet${at}.xml`, sheetOf(rows)])),
    ...more,
  };
}

/** The cells below the header `value`, each of a format and a stored number. */
async function readNumbers(
  numbers: readonly (readonly [format: string, stored: string])[],
  layout?: Partial<SourceLayout>,
): Promise<(string | undefined)[]> {
  const rows = numbers.map(([, stored], at) => `<row><c s="${at + 1}"><v>${stored}</v></c><c><v>${at}</v></c></row>`);
  const book = bookOf(
    [{ name: "S", rows: row(1, "value", "n") + rows.join("") }],
    numbers.map(([format]) => format),
  );
  return (await cells(await read(zipOf(book), layout))).map(([cell]) => cell);
}

describe("a workbook", () => {
  const parts = {
    ...bookOf([
      {
        name: "Reviews",
        rows:
          '<row><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>when</t></is></c><c r="D1" t="str"><v>ok</v></c></row>' +
          '<row><c r="A2"><v>1234567890</v></c><c r="B2" t="s"><v>2</v></c><c r="C2" s="1"><v>45413</v></c><c r="D2" t="b"><v>1</v></c></row>' +
          '<row/><row><c r="A4"><f>1/10</f><v>0.10</v></c><c r="C4" s="2"><v>45413.5625</v></c></row>',
      },
      { name: "Other &amp; more", rows: '<row><c t="e"><v>#N/A</v></c><c><v>2</v></c></row>' },
    ]),
    "xl/sharedStrings.xml":
      "<sst><si><t>id</t></si><si><r><t>te</t></r><r><t>xt</t></r><rPh><t>no</t></rPh></si><si><t>line_x000A_two, &quot;q&quot;</t></si></sst>",
    "xl/styles.xml":
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>',
  };

  it("gives numbers as people see them, dates as ISO, and its sheets to choose from", async () => {
    const source = await read(zipOf(parts));
    expect(source).toMatchObject({ kind: "xlsx", encoding: null, sheet: "Reviews", rowCount: 2 });
    expect(source).toMatchObject({ sheets: ["Reviews", "Other & more"], columns: ["id", "text", "when", "ok"] });
    expect(await cells(source)).toEqual([
      ["1234567890", 'line\ntwo, "q"', "2024-05-01", "true"],
      ["0.1", "", "2024-05-01T13:30:00", ""],
    ]);
    expect(source.notes).toMatchObject({ emptyCells: 2, raggedRows: 0, renamed: [], hiddenRows: 0 });
    expect(source.notes.formulas).toEqual({ count: 0, first: [] });
    const other = await read(zipOf(parts), { sheet: "Other & more" });
    expect(await cells(other)).toEqual([["", "2"]]);
    expect(other.notes.failedFormulas).toEqual({ count: 1, first: ["A1 (#N/A)"] });
    // The text of the first sheet still exists for a batch that was built from it.
    expect(await cells(source)).toHaveLength(2);
  });

  it("keeps the types of its cells", async () => {
    const source = await read(zipOf(parts));
    const [first, second] = await readSomeRows(join(folder, source.content), source, 1, 2);
    expect(first?.values).toEqual([1234567890, 'line\ntwo, "q"', "2024-05-01", true]);
    expect(second?.values).toEqual([0.1, null, "2024-05-01T13:30:00", null]);
  });

  it("has its rows counted as in the sheet, and tells which formulas have no value in it", async () => {
    const formula = (reference: string, value: string, type = "n") =>
      `<c r="${reference}" t="${type}"><f>SUM(1)</f>${value}</c>`;
    const rows =
      `<row r="2">${text("A2", "Tickets of May")}${formula("AB2", "")}</row>` +
      row(4, "id", "score", "note") +
      `<row r="5"><c r="A5"><v>1</v></c>${formula("B5", "<v>3</v>")}${formula("C5", "<v></v>", "str")}</row>` +
      `<row r="9"><c r="A9"><v>2</v></c>${formula("B9", "<v/>")}${formula("C9", "", "str")}</row>`;
    const source = await read(zipOf(bookOf([{ name: "S", rows }])));
    expect(source).toMatchObject({ csv: { header: 4, skip: 0 }, columns: ["id", "score", "note"], rowCount: 2 });
    expect(source.notes.formulas).toEqual({ count: 3, first: ["AB2", "B9", "C9"] });
    expect(await cells(source)).toEqual([
      ["1", "3", ""],
      ["2", "", ""],
    ]);
  });

  it("says which whole numbers have more digits than spreadsheets have", async () => {
    const rows = `${row(1, "id", "n")}<row><c><v>12345678901234567890</v></c><c><v>1</v></c></row>`;
    const source = await read(zipOf(bookOf([{ name: "S", rows }])));
    expect(await cells(source)).toEqual([["12345678901234600000", "1"]]);
    expect(source.notes.roundedNumbers).toEqual({ count: 1, first: ["A2"] });
  });
});

describe("the numbers of a sheet", () => {
  const numbers = [
    ["0.00", "1.1000000000000001"],
    ["General", "1.2E-5"],
    ["General", "1E21"],
    ["General", "3.0"],
    ["Standard", "45413"],
    ["Standaard", "45413"],
    ["#,##0.00 [$€-407]", "1234.5"],
    ["0.00%", "0.125"],
    ["00000", "502"],
    ["000-00-0000", "12345678"],
    ["00000", "0.5"],
    ["d.m", "45413"],
    ["TT.MM.JJJJ", "45413"],
    ["dd/mm/yyyy;@", "45413.395833333336"],
    ["h:mm", "0.39583333333333331"],
    ["[h]:mm", "1.5208333333333333"],
    ["[h]:mm:ss", "-0.0007060185185185185"],
    ["[mm]:ss", "0.0048611111111111112"],
    ["yyyy", "-3"],
  ] as const;

  it("are plain decimals of 15 digits, padded by zeros, days, times, or lengths of time", async () => {
    expect(await readNumbers(numbers)).toEqual([
      ...["1.1", "0.000012", "1000000000000000000000", "3", "45413", "45413", "1234.5", "0.125"],
      ...["00502", "012-34-5678", "0.5"],
      ...["2024-05-01", "2024-05-01", "2024-05-01T09:30:00", "09:30:00"],
      ...["36:30", "-0:01:01", "0:07", "-3"],
    ]);
  });

  it("are as the sheet shows them where that is chosen", async () => {
    const shown = await readNumbers(
      [
        ["#,##0.00", "1234.5"],
        ["0%", "0.125"],
        ["dd/mm/yyyy", "45413"],
        ["General", "1.1000000000000001"],
        ["[h]:mm", "1.5"],
        ["Standard", "3"],
      ],
      { valuesAsShown: true },
    );
    expect(shown).toEqual(["1,234.50", "13%", "01/05/2024", "1.1", "36:00", "3"]);
  });
});

describe("the sheet of a workbook that is read", () => {
  const lists = { name: "_lists", state: "hidden", rows: row(1, "list", "of") + row(2, "Yes", "1") };
  const cover = { name: "Cover", rows: row(1, "Survey of May") + row(3, "Author:", "Ann") + row(4, "Date:", "May") };
  const notes = { name: "Notes", rows: row(1, "Read this first.") + row(2, "Then that.") };
  const data = { name: "Data", rows: row(1, "id", "text") + row(2, "a", "one") + row(3, "b", "two") };

  it.each([
    ["the first with a table, before a cover", [cover, data, lists], "Data"],
    ["the first with a table, before notes", [notes, data], "Data"],
    ["the first of two tables", [data, { ...data, name: "Later" }], "Data"],
    ["a visible one, before a hidden one", [lists, notes], "Notes"],
    ["a hidden one, where the others are empty", [{ name: "Empty", rows: "" }, lists], "_lists"],
  ])("is %s", async (_name, sheets, chosen) => {
    expect((await read(zipOf(bookOf(sheets)))).sheet).toBe(chosen);
  });

  it("is the one that is asked for; visible ones are offered first", async () => {
    const book = zipOf(bookOf([lists, cover, data]));
    expect((await read(book)).sheets).toEqual(["Cover", "Data", "_lists"]);
    expect((await read(book, { sheet: "_lists" })).columns).toEqual(["list", "of"]);
    await expect(read(book, { sheet: "Sheet1" })).rejects.toThrow("no sheet “Sheet1”. Choose one of “Cover”, “Data”");
  });

  it("has its hidden rows, unless they are to be left out", async () => {
    const hide = (cellsOf: string) => cellsOf.replace("<row ", '<row hidden="1" ');
    const rows = row(1, "id", "text") + hide(row(2, "a", "one")) + row(3, "b", "two") + hide(row(4, "c", "three"));
    const book = zipOf(bookOf([{ name: "S", rows }]));
    const all = await read(book);
    expect((await cells(all)).map(([id]) => id)).toEqual(["a", "b", "c"]);
    expect(describeNotes(all.notes)).toEqual(["2 hidden rows"]);
    const visible = await read(book, { visibleRowsOnly: true });
    expect((await cells(visible)).map(([id]) => id)).toEqual(["b"]);
    expect(visible.notes.hiddenRows).toBe(2);
    // Each way of reading has a file of its own.
    expect((await cells(all)).map(([id]) => id)).toEqual(["a", "b", "c"]);
  });
});

describe("a damaged workbook is refused, and never a table without cells", () => {
  const book = bookOf([{ name: "S", rows: row(1, "id", "text") + row(2, "a", "one") }]);
  const without = (part: string) => zipOf(Object.fromEntries(Object.entries(book).filter(([name]) => name !== part)));
  const shared = bookOf([{ name: "S", rows: '<row><c t="s"><v>7</v></c></row>' }], [], {
    "xl/sharedStrings.xml": "<sst><si><t>id</t></si></sst>",
  });

  it.each([
    [
      "without the part of a sheet",
      () => without("xl/worksheets/sheet0.xml"),
      "its part xl/worksheets/sheet0.xml is missing",
    ],
    ["without its list of parts", () => without("xl/_rels/workbook.xml.rels"), "no sheet with cells"],
    ["with a text that is not there", () => zipOf(shared), "cell A1 has a text that is not there"],
  ])("%s", async (_name, make, reason) => {
    await expect(read(make())).rejects.toThrow(reason);
  });
});

describe("files of other programs", () => {
  const ods = (content: string, manifest = "") =>
    zipOf({
      mimetype: "application/vnd.oasis.opendocument.spreadsheet",
      "META-INF/manifest.xml": `<manifest:manifest xmlns:manifest="m">${manifest}</manifest:manifest>`,
      "styles.xml": "<office:document-styles/>",
      "meta.xml": "<office:document-meta/>",
      "content.xml": `<office:document-content><office:automatic-styles><style:style style:name="ta_h" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:spreadsheet>${content}</office:spreadsheet></office:body></office:document-content>`,
    });
  const cell = (value: string) =>
    `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`;
  const odsRow = (values: readonly string[], attributes = "") =>
    `<table:table-row ${attributes}>${values.map(cell).join("")}</table:table-row>`;

  it("an OpenDocument spreadsheet has hidden sheets and rows, and lengths of time", async () => {
    const time = (value: string) =>
      `<table:table-cell office:value-type="time" office:time-value="${value}"><text:p>x</text:p></table:table-cell>`;
    const source = await read(
      ods(
        `<table:table table:name="_lists" table:style-name="ta_h">${odsRow(["a", "b"])}${odsRow(["c", "d"])}</table:table>` +
          `<table:table table:name="S">${odsRow(["id", "spent"])}` +
          `<table:table-row table:visibility="filter">${cell("1")}${time("PT36H30M00S")}</table:table-row>` +
          `<table:table-row>${cell("2")}${time("PT09H30M00S")}</table:table-row></table:table>`,
      ),
    );
    expect(source).toMatchObject({ kind: "ods", sheet: "S", sheets: ["S", "_lists"], notes: { hiddenRows: 1 } });
    expect(await cells(source)).toEqual([
      ["1", "36:30"],
      ["2", "09:30:00"],
    ]);
  });

  it.each([
    ["an encrypted OpenDocument spreadsheet", () => ods(odsRow(["a"]), "<manifest:encryption-data/>"), "protected"],
    [
      "an OpenDocument spreadsheet of endless cells",
      () => ods(`<table:table table:name="S">${odsRow(["a"], 'table:number-rows-repeated="30000000"')}</table:table>`),
      "repeats its cells more than",
    ],
    ["a text document", () => zipOf({ mimetype: "application/vnd.oasis.opendocument.text" }), "no spreadsheet"],
    [
      "a Word document",
      () =>
        zipOf({
          "_rels/.rels":
            '<Relationships><Relationship Id="1" Type="x/officeDocument" Target="word/document.xml"/></Relationships>',
          "word/document.xml": "<w/>",
        }),
      "a Word document",
    ],
    ["a document of Numbers", () => zipOf({ "Index/Document.iwa": "x" }), "Apple's Numbers"],
    [
      "a page without a table",
      () => "<!doctype html><html><body><p>Please log in</p></body></html>",
      "without a table",
    ],
    ["a page that is damaged", () => `<html><table>${"<b><i>".repeat(2_000)}`, "more than 2,000 of its elements"],
  ])("is refused by its name: %s", async (_name, make, reason) => {
    await expect(read(make())).rejects.toThrow(reason);
  });

  it("a page with two tables has two sheets, and its texts are not numbers", async () => {
    const table = (rows: string) => `<table><tr><th>zip</th><th>city</th></tr>${rows}</table>`;
    const source = await read(
      `<html><body>${table("<tr><td>00502</td><td>A &amp; B</td></tr>")}${table("")}</body></html>`,
    );
    expect(source).toMatchObject({ kind: "html", sheets: ["Table 1", "Table 2"], columns: ["zip", "city"] });
    expect(await cells(source)).toEqual([["00502", "A & B"]]);
  });

  it("a page has its cells as a browser shows them", async () => {
    const source = await read(
      `<meta charset='utf-8'><style>td { color: red }</style><!-- <table><tr><td>no</td></tr></table> -->
       <TABLE><tbody><TR><TD>id<TD>text<TD>city
       <tr><td>1</td><td><p>line   one</p><p>line <b>two</b><br>&nbsp;&euro; &#x41;</p></td><td rowspan="2">Rome</td></tr>
       <tr style="display: none"><td>2</td><td>hidden<script>"<td>"</script></td></tr>
       <tr><td colspan="2">both</td><td>Oslo</td></tr></TABLE>`,
    );
    expect(source).toMatchObject({ kind: "html", columns: ["id", "text", "city"], notes: { hiddenRows: 1 } });
    expect(await cells(source)).toEqual([
      ["1", "line one\nline two\n€ A", "Rome"],
      ["2", "hidden", ""],
      ["both", "", "Oslo"],
    ]);
  });

  it("a page that is laid out by a table has the table inside of it", async () => {
    const data = "<table><tr><td>id</td><td>text</td></tr><tr><td>1</td><td>a</td></tr></table>";
    const source = await read(`<html><table><tr><td>Menu ${data}</td></tr></table></html>`);
    expect(source).toMatchObject({ sheet: "Table 2", columns: ["id", "text"], rowCount: 1 });
  });

  it("a workbook of 60 MB is refused where it would be in memory", async () => {
    const small = await readFile(join(tablesFolder, "tickets.xls"));
    await expect(read(Buffer.concat([small, Buffer.alloc(60_000_000)]))).rejects.toThrow(
      "has 60 MB, and 50 MB is the most",
    );
  });
});
