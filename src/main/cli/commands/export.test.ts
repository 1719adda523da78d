import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import readSheets from "read-excel-file/node";
import { expect, onTestFinished, test, vi } from "vitest";
import { callSheaf, runSheaf } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();

const answer = (customId: string, content: string) =>
  JSON.stringify({
    id: "r",
    custom_id: customId,
    response: {
      status_code: 200,
      request_id: "q",
      body: { choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] },
    },
    error: null,
  });

async function writeFiles() {
  const answers = [answer("b", '{"mood": "good"}'), answer("a", "=1+1"), answer("x", "more")];
  await writeFile(inFolder("answers.jsonl"), `${answers.join("\n")}\n`);
  await writeFile(inFolder("batch.jsonl"), ["a", "b", "c"].map((id) => JSON.stringify({ custom_id: id })).join("\n"));
  await writeFile(inFolder("table.csv"), 'key,answer,city\r\nc,1,"São\nPaulo"\r\nb,2,Oslo\r\na,3,Rome\r\n');
  return { answers, path: inFolder("answers.jsonl") };
}

async function exportTo(output: string, ...args: string[]) {
  return await runSheaf(["export", inFolder("answers.jsonl"), "-o", inFolder(output), ...args]);
}

test("answers meet their table by custom_id, in the order of the input, else of the table, else their own", async () => {
  await writeFiles();
  const table = ["--table", inFolder("table.csv"), "--id", "key"];
  const done = await exportTo("out.csv", "--format", "csv", "--input", inFolder("batch.jsonl"), ...table);
  expect(done).toMatchObject({ code: 1, stderr: expect.stringContaining("1 answer not in") });
  const missing = `1 row has empty cells in the columns of ${inFolder("table.csv")}: it lacks their rows.`;
  expect(done.stderr).toContain(missing);
  expect(done.stderr).toContain("out.csv: 4 rows.");
  const rows = parse(await readFile(inFolder("out.csv"))) as string[][];
  expect(rows[0]).toEqual(
    "custom_id key table.answer city answer answer.mood finish_reason status error prompt_tokens cached_tokens cache_write_tokens completion_tokens reasoning_tokens cost model".split(
      " ",
    ),
  );
  expect(rows.slice(1).map((row) => row.slice(0, 6).concat(row[7] ?? ""))).toEqual([
    ["a", "a", "3", "Rome", "'=1+1", "", "answered"],
    ["b", "b", "2", "Oslo", '{"mood": "good"}', "good", "answered"],
    ["c", "c", "1", "São\nPaulo", "", "", "waiting"],
    ["x", "", "", "", "more", "", "answered"],
  ]);
  await exportTo("out.xlsx", "--format", "xlsx", ...table);
  const [sheet] = await readSheets(inFolder("out.xlsx"));
  expect(sheet?.data.slice(1).map((row) => row[0])).toEqual(["c", "b", "a", "x"]);
  expect(sheet?.data[1]?.[2]).toBe(1);
  await exportTo("flat.jsonl", "--format", "flat");
  const lines = (await readFile(inFolder("flat.jsonl"), "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).custom_id)).toEqual(["b", "a", "x"]);
});

test("verdicts and grades that commands wrote are columns of CSV, XLSX, Parquet and flat lines", async () => {
  const prompt = "Document:\nThe bridge opened in 1937. It has four lanes.\n\nWhen did the bridge open?";
  const answers = { a: "The bridge opened in 1932. It is red.", b: "Traffic uses four lanes.", c: "I like it." };
  const [opened] = answers.a.split(/(?<= 1932\.)/);
  const toLines = (toLine: (pair: [string, string]) => string) => Object.entries(answers).map(toLine).join("\n");
  await writeFile(
    inFolder("answers.jsonl"),
    toLines(([id, text]) => answer(id, text)),
  );
  const body = { model: "m", messages: [{ role: "user", content: prompt }] };
  const request = { method: "POST", url: "/v1/chat/completions", body };
  await writeFile(
    inFolder("batch.jsonl"),
    toLines(([id]) => JSON.stringify({ custom_id: id, ...request })),
  );
  await writeFile(inFolder("gold.csv"), "id,gold\na,1937\nb,\nc,1937\n");
  const batch = ["--batch", inFolder("answers.jsonl")];
  const [verdicts, grades] = [inFolder("verdicts.jsonl"), inFolder("grades.jsonl")];
  expect(await runSheaf(["verify", ...batch, "--input", inFolder("batch.jsonl"), "-o", verdicts])).toMatchObject({
    code: 1,
  });
  const gold = ["--expected", inFolder("gold.csv"), "--id", "id", "--column", "gold", "--as", "number"];
  expect(await runSheaf(["grade", ...batch, ...gold, "-o", grades])).toMatchObject({ code: 0 });

  const found = ["--verdicts", verdicts, "--grades", grades];
  const claim = "verify.claim";
  const passage = "verify.passage";
  const expected = [
    {
      custom_id: "a",
      verdict: "contradicted",
      "verify.reason": expect.stringContaining("1937"),
      [claim]: opened,
      [passage]: "The bridge opened in 1937.",
      grade: "fail",
    },
    {
      custom_id: "b",
      verdict: "not_checkable",
      [claim]: answers.b,
      [passage]: "It has four lanes.",
      grade: "no_expected",
    },
    { custom_id: "c", verdict: "not_checkable", [claim]: answers.c, grade: "fail" },
  ];
  expect(await exportTo("out.csv", "--format", "csv", ...found)).toEqual({
    code: 0,
    stdout: "",
    stderr: `${inFolder("out.csv")}: 3 rows.\n`,
  });
  expect(parse(await readFile(inFolder("out.csv")), { columns: true })).toMatchObject(expected);
  await exportTo("out.xlsx", "--format", "xlsx", ...found);
  const [header = [], ...rows] = (await readSheets(inFolder("out.xlsx")))[0]?.data ?? [];
  const records = rows.map((row) => Object.fromEntries(header.map((name, at) => [String(name), row[at]])));
  expect(records).toMatchObject(expected);
  await exportTo("out.parquet", "--format", "parquet", ...found);
  const file = await asyncBufferFromFile(inFolder("out.parquet"));
  expect(await parquetReadObjects({ file, compressors })).toMatchObject(expected);
  const flat = await runSheaf(["export", inFolder("answers.jsonl"), "--format", "flat", "-o", "-", ...found]);
  expect(
    flat.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject(expected);

  // An answer that has changed since beside its gravest claim, one without a verdict, and one that is gone.
  const changed = [answer("a", `${opened} It is green.`), answer("b", answers.b), answer("d", "New.")];
  await writeFile(inFolder("answers.jsonl"), changed.join("\n"));
  const partial = await exportTo("out.csv", "--format", "csv", "--verdicts", verdicts);
  expect(partial).toMatchObject({ code: 1 });
  expect(partial.stderr.split("\n")).toEqual([
    `1 verdict in ${verdicts} left out: their answers aren't exported.`,
    `${verdicts} has no verdict for 1 answer.`,
    `1 verdict in ${verdicts} left out: the answers have changed. Verify them again.`,
    `${inFolder("out.csv")}: 3 rows.`,
    `The missing data is also listed in ${inFolder("out.csv")}.missing.txt.`,
    "",
  ]);
  const asJson = await exportTo("out.csv", "--format", "csv", "--verdicts", verdicts, "--json");
  expect(asJson.stderr).toBe(`1 verdict in ${verdicts} left out: their answers aren't exported.\n`);
  expect(JSON.parse(asJson.stdout).missing).toHaveLength(2);
  const [first, second] = parse(await readFile(inFolder("out.csv")), { columns: true }) as Record<string, string>[];
  expect([first?.verdict, second?.verdict]).toEqual(["", "not_checkable"]);

  const refused = [
    [["--format", "jsonl", ...found], "--verdicts and --grades add columns, and jsonl has none"],
    [
      ["--format", "csv", "--verdicts", grades],
      "grades.jsonl:1: This is not a verdict that sheaf verify --batch wrote.",
    ],
    [["--format", "csv", "--grades", verdicts], "verdicts.jsonl:1: This is not a grade that sheaf grade wrote."],
  ] as const;
  for (const [args, sentence] of refused) {
    expect(await exportTo("no.csv", ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  }
});

test("an export without some columns of its table is kept, named beside the file and by the exit code", async () => {
  await writeFiles();
  const table = ["--table", inFolder("table.csv"), "--id", "key", "--json", "--format", "csv"];
  const note = inFolder("out.csv.missing.txt");
  await writeFile(inFolder("table.csv"), "key,answer,city\r\nb,2,Oslo\r\na,3\r\n");
  const { code, stdout } = await exportTo("out.csv", ...table);
  expect(code).toBe(1);
  const { rows, missing, note: named } = JSON.parse(stdout);
  expect(rows).toBe(3);
  expect(missing).toEqual([
    `1 row has empty cells in the columns of ${inFolder("table.csv")}: it lacks their rows.`,
    `1 row of ${inFolder("table.csv")} can't be read in full. Row 2: This row has 2 cells; the table has 3 columns.`,
  ]);
  expect(named).toBe(note);
  expect(await readFile(note, "utf8")).toBe(`What is missing in out.csv:\n- ${missing.join("\n- ")}\n`);
  expect(parse(await readFile(inFolder("out.csv")))).toHaveLength(4);

  // The next one has all, and no note of the one before. That of somebody else stays.
  await writeFile(inFolder("table.csv"), "key,answer,city\r\nb,2,Oslo\r\na,3,Rome\r\nx,4,Lima\r\n");
  const complete = await exportTo("out.csv", ...table);
  expect([complete.code, JSON.parse(complete.stdout)]).toEqual([0, { rows: 3, output: inFolder("out.csv") }]);
  await expect(readFile(note)).rejects.toMatchObject({ code: "ENOENT" });
  await writeFile(note, "mine");
  await exportTo("out.csv", ...table);
  expect(await readFile(note, "utf8")).toBe("mine");
  await writeFile(inFolder("table.csv"), "key,answer,city\r\nb,2,Oslo\r\n");
  const refused = await exportTo("out.csv", ...table);
  expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([1, { note: null }]);
  expect(refused.stderr).toContain(`The note of the missing data could not be written: ${note}: `);
  expect(await readFile(note, "utf8")).toBe("mine");
});

test("an export stays written where no note can be", async () => {
  await writeFiles();
  await writeFile(inFolder("table.csv"), "key,answer,city\r\nb,2,Oslo\r\n");
  const table = ["--table", inFolder("table.csv"), "--id", "key", "--json", "--format", "csv"];
  await mkdir(inFolder("out.csv.missing.txt"));
  // With a name that has no room for that of a note.
  const longLink = `${"n".repeat(245)}.csv`;
  await writeFile(inFolder("short.csv"), "");
  await symlink(inFolder("short.csv"), inFolder(longLink));
  for (const name of ["out.csv", longLink]) {
    const { code, stdout, stderr } = await exportTo(name, ...table);
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { rows: 3, note: null }]);
    expect(stderr).toContain("The note of the missing data could not be written: ");
    expect(parse(await readFile(inFolder(name)))).toHaveLength(4);
    // Where nothing is missing, no note is either.
    expect(await exportTo(name, "--format", "csv")).toMatchObject({ code: 0, stderr: `${inFolder(name)}: 3 rows.\n` });
  }
  // What is no regular file has nothing beside it.
  const device = await runSheaf(["export", inFolder("answers.jsonl"), "-o", "/dev/null", ...table]);
  expect([device.code, JSON.parse(device.stdout).note]).toEqual([1, null]);
  expect(device.stderr).not.toContain("note");
});

test("answers with more fields than a table has columns say how many have none", async () => {
  const fields = Object.fromEntries(Array.from({ length: 503 }, (_, at) => [`field${at}`, at]));
  await writeFile(inFolder("answers.jsonl"), `${answer("a", JSON.stringify(fields))}\n`);
  const { code, stderr } = await exportTo("wide.csv", "--format", "csv");
  expect(code).toBe(1);
  expect(stderr).toContain("3 fields of answers got no column of their own: the column answer has them.");
  expect((await exportTo("lines.jsonl", "--format", "jsonl")).code).toBe(0);
});

test("lines as on the wire keep every byte", async () => {
  const { answers, path } = await writeFiles();
  const { stdout } = await runSheaf([
    "export",
    path,
    "--format",
    "jsonl",
    "--input",
    inFolder("batch.jsonl"),
    "-o",
    "-",
  ]);
  expect(stdout).toBe(`${answers[1]}\n${answers[0]}\n${answers[2]}\n`);
});

test("CSV is written for Excel or as chosen, and a column of numbers that is text is named", async () => {
  const answers = [answer("a", '{"n": 0.5, "long": 0.1000000000000000055}'), answer("b", '{"n": 2, "long": 1}')];
  await writeFile(inFolder("answers.jsonl"), `${answers.join("\n")}\n`);
  await exportTo("de.csv", "--format", "csv", "--excel", "de");
  const german = await readFile(inFolder("de.csv"), "utf8");
  expect(german).toContain("\uFEFFcustom_id;answer;answer.n;");
  expect((parse(german, { delimiter: ";", bom: true }) as string[][])[1]?.slice(2, 4)).toEqual([
    "0,5",
    "0,1000000000000000055",
  ]);
  await exportTo("tab.csv", "--format", "csv", "--delimiter", "tab", "--formulas");
  expect(await readFile(inFolder("tab.csv"), "utf8")).toMatch(/^custom_id\tanswer\t/);
  const parquet = await exportTo("out.parquet", "--format", "parquet");
  expect(parquet.stderr).toContain("answer.long has numbers as text: 0.1000000000000000055 would be rounded.");
  const { stdout } = await exportTo("out.parquet", "--format", "parquet", "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    text_columns: [{ column: "answer.long", number: "0.1000000000000000055" }],
  });
  const refused = [
    [["--excel", "no locale"], "--excel expects a locale such as de or en-US"],
    [["--delimiter", "|"], "--delimiter expects comma, semicolon or tab"],
  ] as const;
  for (const [args, sentence] of refused) {
    expect(await exportTo("out.csv", "--format", "csv", ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(sentence),
    });
  }
  expect(await exportTo("out.xlsx", "--format", "xlsx", "--bom")).toMatchObject({ code: 2 });
});

test("what cannot be read is said with its line, and there is no file", async () => {
  await writeFiles();
  const broken = await exportTo("out.csv", "--format", "csv", "--table", inFolder("table.csv"), "--id", "id");
  expect(broken).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("The columns are 'key', 'answer', 'city'."),
  });
  const faulty = [
    ["no", "answers.jsonl:2: It has no custom_id."],
    ['{"custom_id":"b"}', "answers.jsonl:2: It is no line of an output or error file."],
  ] as const;
  for (const [line, sentence] of faulty) {
    await writeFile(inFolder("answers.jsonl"), `${answer("a", "yes")}\n${line}\n`);
    const stderr = expect.stringContaining(sentence);
    expect(await exportTo("out.csv", "--format", "csv")).toMatchObject({ code: 2, stderr });
  }
  const cases = [
    [["--format", "doc"], "--format expects jsonl, flat, csv, xlsx or parquet, not 'doc'."],
    [["--format", "csv", "--id", "key"], "--table and --id go together"],
  ] as const;
  for (const [args, sentence] of cases) {
    expect(await exportTo("out.csv", ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  }
  expect((await readdir(inFolder())).sort()).toEqual(["answers.jsonl", "batch.jsonl", "table.csv"]);
});

test("an error with status 200, as other services write it, is a failed request for every command", async () => {
  const bodies: readonly object[] = [
    { error: { message: "Overloaded.", code: 503 } },
    { choices: [{ message: { content: "Half of" }, finish_reason: "error" }] },
    { error: null, choices: [{ message: { content: "4" }, finish_reason: "stop" }] },
  ];
  const lines = bodies.map((body, at) => {
    const custom_id = `q-${at}`;
    return JSON.stringify({ id: "r", custom_id, response: { status_code: 200, request_id: "q", body }, error: null });
  });
  await writeFile(inFolder("answers.jsonl"), lines.join("\n"));
  expect(await exportTo("flat.jsonl", "--format", "flat")).toMatchObject({ code: 0 });
  const rows = (await readFile(inFolder("flat.jsonl"), "utf8")).trimEnd().split("\n");
  expect(rows.map((row) => JSON.parse(row))).toMatchObject([
    { custom_id: "q-0", status: "failed", error: "503: Overloaded." },
    { custom_id: "q-1", status: "failed", error: "http_502: It broke off in the middle of the answer." },
    { custom_id: "q-2", status: "answered", answer: "4" },
  ]);
  await writeFile(inFolder("table.csv"), "id,gold\nq-0,4\nq-1,4\nq-2,4\n");
  const table = ["--expected", inFolder("table.csv"), "--id", "id", "--column", "gold", "--as", "number", "--json"];
  const graded = await runSheaf(["grade", "--batch", inFolder("answers.jsonl"), ...table]);
  expect(JSON.parse(graded.stdout)).toMatchObject({ graded: 3, passed: 1, failed: 0, no_answer: 2 });
  const requests = lines.map((_line, at) => {
    const body = { model: "m", messages: [{ role: "user", content: "What is 2 + 2?" }] };
    return JSON.stringify({ custom_id: `q-${at}`, method: "POST", url: "/v1/chat/completions", body });
  });
  await writeFile(inFolder("batch.jsonl"), requests.join("\n"));
  const files = ["--input", inFolder("batch.jsonl"), "-o", inFolder("verdicts.jsonl")];
  const verified = await runSheaf(["verify", "--batch", inFolder("answers.jsonl"), ...files, "--json"]);
  expect(JSON.parse(verified.stdout)).toMatchObject({ answers: 1, unanswered: 2 });
});

test("a signal leaves no temporary folder behind, whenever it comes", async () => {
  const temporary = inFolder("tmp");
  await mkdir(temporary);
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const ids = Array.from({ length: 30_000 }, (_, at) => `id-${at}`);
  await writeFile(inFolder("answers.jsonl"), ids.map((id) => answer(id, "4")).join("\n"));
  await writeFile(inFolder("table.csv"), `id,gold\n${ids.map((id) => `${id},4\n`).join("")}`);
  const [table, out] = [inFolder("table.csv"), inFolder("out")];
  const commands = [
    ["build", table, "--prompt", "{{ gold }}?", "--model", "m", "-o", out],
    ["export", inFolder("answers.jsonl"), "--format", "csv", "--table", table, "--id", "id", "-o", out],
    [
      ...["grade", "--batch", inFolder("answers.jsonl"), "--expected", table],
      "--id",
      "id",
      "--column",
      "gold",
      "--as",
      "text",
    ],
  ];
  for (const args of commands) {
    const call = callSheaf(args);
    await expect.poll(() => readdir(temporary)).not.toEqual([]);
    call.signal("SIGINT");
    expect((await call.finished).code).toBe(130);
    expect(await readdir(temporary)).toEqual([]);
  }
  expect((await readdir(inFolder())).toSorted()).toEqual(["answers.jsonl", "table.csv", "tmp"]);
});
