import { type CsvOptions, excelCsvOptions } from "#contract";
import { createRowSurvey } from "../columns.ts";
import { parseExportRow } from "../export-row.ts";
import { type TableFormat, writeTable } from "../write-export.ts";

/** Texts that a file, a parser or a spreadsheet may take for something else. */
const nastyTexts = [
  'He said "no", twice',
  "line\nfeed\r\nand\rreturn",
  "👩‍🚀 𝒳 \u{1F1EA}\u{1F1FA}",
  "مرحبا \u202Eabc\u202C שלום",
  '=HYPERLINK("http://evil.example","x")',
  "=cmd|' /C calc'!A0",
  "+1+1",
  "-1+1",
  "-5",
  "+49 30 123",
  "@SUM(A1)",
  "\ttab",
  "  spaces  ",
  "",
  "control \u0001\u000b\u001f and _x0041_ and _x005F_",
  "0042",
  "9007199254740993",
  "1.50",
  "1,5",
  "1e5",
  "0x1F",
  "TRUE",
  "null",
  "NaN",
  "2024-01-02",
  "1-2",
  "3:04",
  "#REF!",
  "'quoted'",
  "a;b",
  "a\tb",
  '"',
  '""',
  "\\N",
  "\ufeffmark",
  "line\u2028separator, next\u0085line",
  "\r",
  "\n",
  "lone \ud800 surrogate",
  "<b>&amp;</b> ]]>",
  "e\u0301 is é, \ufb01 is fi",
  "%0A{{x}}$(y)",
  "a".repeat(33_000),
  `${"b".repeat(32_766)}🎉 and more`,
];

/** Numbers of every size, as JSON has them. */
const numbers =
  "0 -0 7 -1 1.10 1.50 100 0.1 0.30000000000000004 0.14285714285714285 1e-7 1e5 1E+2 1e21 999999999999999 1000000000000000 9007199254740993 9223372036854775807 9223372036854775808 123456789012345678901234567890 12345678901234567000 5e-324 1e-400 1.7976931348623157e308 1e400 0.1000000000000000055".split(
    " ",
  );

const integers = ["1", "-9223372036854775808", "9223372036854775807", "0"];
const prices = ["1.10", "2", "0.05", "1e-3"];

interface Choice {
  readonly message: Readonly<Record<string, unknown>>;
  readonly finish_reason: string;
}

const textChoice = (content: string): Choice => ({ message: { role: "assistant", content }, finish_reason: "stop" });
const toCalls = (calls: readonly (readonly [name: string, input: string])[]): Choice => ({
  message: {
    role: "assistant",
    content: null,
    tool_calls: calls.map(([name, input], at) => ({
      id: `call-${at}`,
      type: "function",
      function: { name, arguments: input },
    })),
  },
  finish_reason: "tool_calls",
});

/** The choices of each answer. */
const answers: readonly (readonly Choice[])[] = [
  ...nastyTexts.map((text) => [textChoice(text)]),
  // The same as a field, with what fields may be.
  ...nastyTexts
    .slice(0, 12)
    .map((text, at) => [
      textChoice(
        `{"text":${JSON.stringify(text)},"ok":${at % 2 === 0},"int":${integers[at % 4]},"price":${prices[at % 4]},"list":[1.10,"a"],"deep":{"a":{"b":{"c":{"d":1}}}},"none":null}`,
      ),
    ]),
  ...numbers.map((number) => [textChoice(`{"size":${number}}`)]),
  [textChoice('```json\n{"size": 9007199254740993, "ok": true}\n```')],
  [toCalls([["weather", '{"city":"Oslo","days":3,"at":{"lat":59.910}}']])],
  [
    toCalls([
      ["weather", '{"city":"=Rome"}'],
      ["weather", '{"city":"Paris","days":9007199254740993}'],
      ["noop", ""],
    ]),
  ],
  [toCalls([["broken", '{"city":']])],
  [{ message: { role: "assistant", content: null, refusal: "I can't help, =sorry." }, finish_reason: "stop" }],
  [textChoice("first"), textChoice("=second"), textChoice('{"third":3}')],
  [{ message: { role: "assistant", content: "seven", reasoning_content: "3 + 4 = 7\nso" }, finish_reason: "stop" }],
  [{ message: { role: "assistant", content: "cut o" }, finish_reason: "length" }],
];

const failures = [
  { status_code: 503, body: { error: { message: "The model is busy.", code: "busy" } } },
  { status_code: 400, body: { error: { message: '-refused, "why"', code: null } } },
];

/** The lines of the answers, as the service writes them. */
export const nastyLines: readonly string[] = [
  ...answers.map((choices, at) => {
    const usage = { prompt_tokens: at, completion_tokens: 2 * at, total_tokens: 3 * at };
    const body = { id: "c", model: "m", choices: choices.map((choice, index) => ({ index, ...choice })), usage };
    return { custom_id: `q-${at + 1}`, response: { status_code: 200, request_id: `r-${at}`, body } };
  }),
  ...failures.map((response, at) => ({ custom_id: `f-${at + 1}`, response: { request_id: `r-f-${at}`, ...response } })),
].map((line) => JSON.stringify({ id: "b", ...line, error: null }));

/** The table that they were asked from: a column for each text, for numbers with zeros and for codes. The last row is missing. */
export const nastyTable = {
  columns: ["id", "answer", "price", "zip", "mixed", 'na"me, =x'],
  rows: nastyLines.slice(0, -1).map((_, at) => {
    const mixed = at % 3 === 0 ? "n/a" : (numbers[at % numbers.length] ?? "");
    const text = nastyTexts[at % (nastyTexts.length - 2)] ?? "";
    return [`q-${at + 1}`, text, `${at}.${at % 2 === 0 ? "50" : "125"}`, `0${at}`, mixed, at % 5 === 0 ? "" : `=${at}`];
  }),
};

/** The files, by their names. */
const exports: Readonly<Record<string, { readonly format: TableFormat; readonly csv?: CsvOptions }>> = {
  "plain.csv": { format: "csv" },
  "raw.csv": { format: "csv", csv: { escapeFormulas: false, delimiter: "\t" } },
  "excel-us.csv": { format: "csv", csv: excelCsvOptions("en-US") },
  "excel-de.csv": { format: "csv", csv: excelCsvOptions("de-DE") },
  "excel-ch.csv": { format: "csv", csv: excelCsvOptions("de-CH") },
  "book.xlsx": { format: "xlsx" },
  "table.parquet": { format: "parquet" },
  "flat.jsonl": { format: "flat" },
};

/** All of them in each format, as the writers give them now. */
export async function writeNastyExports(): Promise<Map<string, Buffer>> {
  const survey = createRowSurvey(nastyTable.columns);
  const stored = nastyLines.map((line, at) =>
    survey.add(parseExportRow(JSON.parse(line), nastyTable.rows[at] ?? null)),
  );
  const written = new Map<string, Buffer>();
  for (const [name, { format, csv }] of Object.entries(exports)) {
    const rows = (async function* () {
      for (let from = 0; from < stored.length; from += 7) yield stored.slice(from, from + 7);
    })();
    const bytes = writeTable({ format, columns: survey.columns(), rows, csv });
    written.set(name, Buffer.concat(await Array.fromAsync(bytes)));
  }
  return written;
}
