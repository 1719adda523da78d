import { readFile } from "node:fs/promises";
import {
  type AnswerFormat,
  allRows,
  type ChatRequest,
  defaultCustomId,
  formatCount,
  formatNumber,
  listMisuse,
  type ProblemGroup,
  placeholderFor,
  type RequestTemplate,
} from "#contract";
import { loadTables, type RenderStep, type WriteResult } from "#main/build";
import { connectionRules } from "#main/requests";
import { type AtomicFile, nameOutput, openOutput } from "../atomic-file.ts";
import type { BuildFlags } from "../batch-flags.ts";
import { CliError, describeFileError, type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, printError } from "../command-process.ts";
import { refuseOverwriting } from "../input-file.ts";
import { type OpenTable, openTable, toTableError } from "../open-table.ts";
import { createProgress } from "../progress.ts";
import { describeReading, toLayout } from "../table-reading.ts";
import { withTemporaryFolder } from "../temporary-folder.ts";

/** `sheaf build TABLE --prompt TEXT --model M -o OUT`: a batch file of a table, as Build in the app writes it. */
export async function build(file: string, flags: BuildFlags, io: CommandProcess): Promise<ExitCode> {
  const { output, schema } = flags;
  const answerFormat = schema === undefined ? undefined : await readSchema(schema, io);
  return await withTemporaryFolder(io, async (folder, onStop) => {
    const table = await openTable(file, folder, await toLayout(flags));
    refuseUnusable(file, table);
    await refuseOverwriting(file, [output]);
    for (const line of describeReading(file, table)) printError(line, io);
    const target = await openOutput(output, io);
    onStop(target.discard);
    const result = await write(file, table, toTemplate(flags, answerFormat), target, io);
    return report(file, table, result, output, io);
  });
}

/** An answer format by a JSON schema. It is strict where the schema meets the rules for that, and stderr says where not. */
async function readSchema(file: string, io: CommandProcess): Promise<AnswerFormat> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw describeFileError(error, file);
  });
  const schema = parseObject(text.replace(/^\ufeff/, ""));
  if (schema === null) throw new CliError(`${file}: The schema is not a JSON object.`, exitCodes.unusable);
  const json_schema = { name: "answer", strict: true, schema };
  const messages: ChatRequest["messages"] = [];
  const [misuse] = listMisuse({ model: "", messages, response_format: { type: "json_schema", json_schema } });
  if (misuse !== undefined) {
    const place = misuse.path.slice(3).map(String).join(".");
    printError(`${file}: the schema is sent with strict: false. ${place}: ${misuse.message}`, io);
  }
  return { type: "json_schema", name: "answer", schema: JSON.stringify(schema), strict: misuse === undefined };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function refuseUnusable(file: string, { source }: OpenTable): void {
  if (source.holds === "requests") {
    const message = `${file}: it is a batch file already. Run it with: sheaf run ${file} -o answers.jsonl`;
    throw new CliError(message, exitCodes.unusable);
  }
  if (source.rowCount === 0) throw new CliError(`${file}: the table has no rows.`, exitCodes.unusable);
}

function toTemplate(
  { prompt, system, model, id }: BuildFlags,
  answerFormat: AnswerFormat | undefined,
): RequestTemplate {
  return {
    messages: [
      ...(system === undefined ? [] : [{ role: "system" as const, content: system }]),
      { role: "user", content: prompt },
    ],
    connectionId: null,
    model,
    temperature: null,
    maxCompletionTokens: null,
    customId: id === undefined ? defaultCustomId : placeholderFor(id),
    ...(answerFormat && { answerFormat }),
  };
}

/** Writes the batch file, unless something is wrong that leaving out rows doesn't solve. */
async function write(
  file: string,
  { path, source }: OpenTable,
  template: RequestTemplate,
  target: AtomicFile,
  io: CommandProcess,
): Promise<WriteResult> {
  const progress = createProgress({
    label: "Building",
    phrase: (done, total) => `${formatNumber(done)} of ${formatCount(total, "row")}`,
    silent: false,
    io,
  });
  try {
    const rows = { ...allRows, skipFaulty: true };
    // The model may be any service's: what the connection of a run refuses is found there.
    const pass = { path, source, rows, rules: connectionRules, connection: null };
    const { renderRows } = await loadTables();
    const result = await writeSteps(renderRows(pass, template), target, progress.update);
    if (!result.blocked) await target.commit();
    return result;
  } catch (error) {
    throw toTableError(error, file);
  } finally {
    progress.stop();
    await target.discard();
  }
}

async function writeSteps(
  steps: AsyncIterable<RenderStep>,
  target: AtomicFile,
  onProgress: (done: number, total: number) => void,
): Promise<WriteResult> {
  for await (const { text, done, total, result } of steps) {
    if (text !== "") await target.write(Buffer.from(text));
    if (result !== null) return result;
    onProgress(done, total);
  }
  throw new Error("The rows ended without a result.");
}

/** Names the problems, and says what was written and what was left out. */
function report(
  file: string,
  { source }: OpenTable,
  { groups, blocked, lines }: WriteResult,
  output: string,
  io: CommandProcess,
): ExitCode {
  for (const group of groups) for (const line of describeGroup(file, group)) printError(line, io);
  if (blocked) {
    printError("No batch was written.", io);
    return exitCodes.unusable;
  }
  const leftOut = source.rowCount - lines;
  const rest = leftOut === 0 ? "" : ` ${formatCount(leftOut, "row")} of ${file} left out.`;
  printError(`${nameOutput(output)}: ${formatCount(lines, "request")}.${rest}`, io);
  return leftOut === 0 ? exitCodes.ok : exitCodes.failed;
}

/** Problems of one kind: the first ones in full, and the numbers of further rows. */
function describeGroup(file: string, { code, severity, first, where = [] }: ProblemGroup): string[] {
  const kind = `${severity === "warning" ? "warning: " : ""}${code}`;
  const named = first.map(({ line, message }) => `${file}: ${line === null ? "" : `row ${line}: `}${kind}: ${message}`);
  const last = first.at(-1)?.line ?? null;
  const further = where.flatMap(([from, to]) => (last === null || to <= last ? [] : [[Math.max(from, last + 1), to]]));
  if (further.length === 0) return named;
  const rows = further.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(", ");
  return [...named, `${file}: ${kind}: rows ${rows} have the same problem.`];
}
