/**
 * What `sheaf export` takes for a table of 200,000 answers joined with the rows that they were asked for, next to a mere copy of
 * the same files. Processor time is next to the time by the clock, which other work on the machine makes longer.
 * Then XLSX in the app, of a batch of 50,000 rows. `npm run bench -- exports 20000` takes fewer rows.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { copyFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { measureAppExports } from "./app-exports.ts";
import { readCpuTime } from "./cpu-time.ts";

const rows = Number(process.argv[3] ?? 200_000);
const words = "The parcel reached the harbour three days late, and nobody could say where it had been. ".repeat(8);
const folder = await mkdtemp(join(tmpdir(), "sheaf-exports-"));
const [answers, table] = [join(folder, "answers.jsonl"), join(folder, "table.csv")];

try {
  await writeLines(answers, (row) => `${JSON.stringify(toAnswer(row))}\n`);
  await writeLines(table, (row) => (row === 0 ? "id,letter,stars,city\r\n" : toRecord(row)));
  const bytes = (await stat(answers)).size + (await stat(table)).size;
  const load = loadavg()[0]?.toFixed(1);
  console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, load ${load}`);
  console.log(`${rows} rows, ${(bytes / 1e6).toFixed(0)} MB of answers and table`);
  const start = performance.now();
  for (const path of [answers, table]) await copyFile(path, `${path}.copy`);
  console.log(`a copy of the files: ${((performance.now() - start) / 1_000).toFixed(2)} s`);
  for (const format of ["csv", "xlsx", "parquet", "flat", "jsonl"]) await measureExport(format, bytes);
  await measureAppExports(Math.min(rows, 50_000), (row) =>
    `${(row * 7_919) % rows} ${words.slice(0, 350)}`.replaceAll(",", ""),
  );
} finally {
  await rm(folder, { recursive: true });
}

async function measureExport(format: string, bytes: number): Promise<void> {
  const output = join(folder, `out.${format}`);
  const args = ["src/main/headless.ts", "export", answers, "--table", table, "--id", "id", "--format", format];
  const start = performance.now();
  const child = spawn(process.execPath, [...args, "-o", output, "--json"], { stdio: ["ignore", "ignore", "inherit"] });
  let [cpu, memory] = [0, 0];
  const watch = setInterval(async () => {
    const { pid } = child;
    if (pid === undefined) return;
    cpu = Math.max(cpu, readCpuTime(pid) ?? 0);
    memory = Math.max(memory, await readMostMemory(pid));
  }, 20);
  const [code] = await once(child, "exit");
  clearInterval(watch);
  if (code !== 0) throw new Error(`sheaf export ended with ${code}.`);
  const seconds = (performance.now() - start) / 1_000;
  const written = (await stat(output)).size / 1e6;
  const rate = (bytes / 1e6 / (cpu / 1_000)).toFixed(0);
  console.log(
    `${format}: ${seconds.toFixed(1)} s, processor ${(cpu / 1_000).toFixed(1)} s (${rate} MB/s read), ${written.toFixed(0)} MB written, ${memory.toFixed(0)} MB of memory at most`,
  );
}

/** The most that a process has had in memory, in megabytes; 0 where the system does not report it (Linux does). */
async function readMostMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_000;
}

/** Every other answer is an object. */
function toAnswer(row: number) {
  const object = {
    mood: row % 3 === 0 ? "good" : "bad",
    score: (row % 100) / 10 + 0.05,
    reason: words.slice(0, 250 + (row % 100)),
    who: { name: `Ann ${row}`, tags: ["late", "parcel"] },
  };
  const content = row % 2 === 0 ? JSON.stringify(object) : words.slice(0, 300 + (row % 100));
  const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop" };
  const usage = { prompt_tokens: 60, completion_tokens: 100 + (row % 100), total_tokens: 160 + (row % 100) };
  const body = { id: `c-${row}`, object: "chat.completion", created: 1, model: "m", choices: [choice], usage };
  const response = { status_code: 200, request_id: `r-${row}`, body };
  return { id: `a-${row}`, custom_id: `line-${row}`, response, error: null };
}

function toRecord(row: number): string {
  return `line-${row},"${words.slice(0, 200)}, said ""${row}""",${row % 5},Oslo\r\n`;
}

/** Rows 0 to `rows`: the first is a table's header, and an answer like any other. */
async function writeLines(path: string, toText: (row: number) => string): Promise<void> {
  const file = createWriteStream(path);
  for (let from = 0; from <= rows; from += 1_000) {
    const length = Math.min(1_000, rows + 1 - from);
    const text = Array.from({ length }, (_, at) => toText(from + at)).join("");
    if (!file.write(text)) await once(file, "drain");
  }
  file.end();
  await finished(file);
}
