import { readFile } from "node:fs/promises";
import type { z } from "zod";
import {
  type CellReading,
  formatCount,
  type Grader,
  type GradeSummary,
  type LineGrade,
  lineGradeSchema,
  listConfusions,
  type RulesGrader,
} from "#contract";
import {
  type ColumnLabels,
  createModelGrader,
  GraderError,
  loadGraders,
  summarizeGrades,
  type Ungraded,
} from "#main/judging";
import {
  BatchFilesError,
  type ExpectedAnswer,
  type FileGradeInput,
  type GradeFilesOptions,
  gradeFiles,
} from "#main/verifications";
import { type AtomicFile, openOutput } from "../atomic-file.ts";
import { CliError, describeFileError, type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, print, printError } from "../command-process.ts";
import { checkInputFile, refuseOverwriting, refuseSharedOutput } from "../input-file.ts";
import { refuseTwoSources } from "../judge-flags.ts";
import { noSpend, toJsonSpend } from "../judge-spend.ts";
import type { GradeFlags } from "../judging-flags.ts";
import { type ModelJudge, withModelJudge } from "../open-judge.ts";
import { createProgress } from "../progress.ts";
import { readExpected } from "../read-expected.ts";
import { type GentleStop, stopGently } from "../stop-gently.ts";
import { withoutPrefix } from "../table-flags.ts";
import { describeReading, toLayout } from "../table-reading.ts";
import { withCleanUp, withTemporaryFolder } from "../temporary-folder.ts";
import { reportModel, reportStopped } from "./verify-batch.ts";

type GradeAnswer = GradeFilesOptions["grade"];

/** `sheaf grade`: how many answers of a batch are the expected ones. */
export async function grade(flags: GradeFlags, io: CommandProcess): Promise<ExitCode> {
  const grader = await chooseGrader(flags);
  refuseSharedOutput(flags.json, [flags.output]);
  const inputs = [flags.batch, flags.expected, flags.requests].filter((path) => path !== undefined);
  for (const path of inputs) await checkInputFile(path);
  if (flags.output !== undefined) for (const path of inputs) await refuseOverwriting(path, [flags.output]);
  const expected = await readExpectedOf(flags, grader, io);
  const labels = await listLabels(expected ?? [], grader);

  const target = flags.output === undefined ? null : await openOutput(flags.output, io);
  const { createGrader, createTally } = await loadGraders();
  const grading = { flags, expected, labels, tally: createTally(grader, labels), target, io };
  try {
    if (grader.name === "model") return await gradeByModel(grading, grader);
    return await gradeByRules(grading, createGrader(grader, labels.labels ?? []).grade);
  } catch (error) {
    if (error instanceof BatchFilesError) throw new CliError(error.message, exitCodes.unusable);
    throw error;
  } finally {
    await target?.discard();
  }
}

/** Rules cost nothing: a signal drops what they found so far. */
async function gradeByRules(grading: Grading, gradeAnswer: GradeAnswer): Promise<ExitCode> {
  return await withCleanUp(grading.io, async (onStop) => {
    onStop(async () => grading.target?.discard());
    return await gradeAll(grading, gradeAnswer, null);
  });
}

type ModelGrader = Extract<Grader, { name: "model" }>;

/** Grades are saved as they come, and asked once. */
async function gradeByModel(grading: Grading, grader: ModelGrader): Promise<ExitCode> {
  const { flags, io } = grading;
  const saving = { how: ["grade", grader.rubric], model: grader.model, batch: flags.requests ?? flags.batch };
  const stop = stopGently(io);
  try {
    return await withModelJudge(flags, saving, io, async (model) => {
      const { grade: ask } = createModelGrader({ ...grader, connectionId: model.connectionId }, model.parts);
      return await gradeAll(grading, gradeSaved(ask, model, stop), model).catch((error: unknown) => {
        if (!stop.stopped.aborted) throw error;
        return reportStopped(model, io);
      });
    });
  } finally {
    stop.remove();
  }
}

/** What the model gave no grade is asked again the next time. */
function gradeSaved(
  ask: ReturnType<typeof createModelGrader>["grade"],
  { saved }: ModelJudge,
  stop: GentleStop,
): (input: FileGradeInput) => Promise<LineGrade | Ungraded> {
  return async (input) => {
    const { customId, prompt, answer, expected } = input;
    const grade = () => stop.run((signal) => ask(input, signal));
    if (answer === null) return await grade();
    return await saved.judge([customId, prompt, answer, expected], gradedSchema, async () => {
      const verdict = await grade();
      return { verdict, isFinal: !("problem" in verdict) };
    });
  };
}

const gradedSchema: z.ZodType<LineGrade | Ungraded> = lineGradeSchema;

const needsColumn = (name: Grader["name"]) => name !== "schema" && name !== "model";

/** The grader that the flags ask for. A flag of another grader is an error. */
async function chooseGrader(flags: GradeFlags): Promise<Grader> {
  const { as: name, tolerance, path, rubric, judgeModel, requests, expected, id, column } = flags;
  const owned = [
    ["--tolerance", "number", tolerance],
    ["--path", "json", path],
    ["--rubric", "model", rubric],
    ["--judge-model", "model", judgeModel],
    ["--connection", "model", flags.connection],
    ["--fresh", "model", flags.fresh || undefined],
    ["--whole-words", "contains", flags.wholeWords || undefined],
    ["--ordered", "json", flags.ordered || undefined],
  ] as const;
  for (const [flag, owner, value] of owned) {
    if (value !== undefined && owner !== name) refuse(`${flag} is for --as ${owner}, not ${name}.`);
  }
  refuseTwoSources(flags);
  if (needsColumn(name) || expected !== undefined) {
    need(expected, "--expected TABLE", name);
    need(id, "--id COLUMN", name);
    if (name !== "schema") need(column, "--column COLUMN", name);
  }
  const reading = readCellFlags(flags);
  const cell = reading === undefined ? {} : { cell: reading };
  switch (name) {
    case "number":
      return { name, tolerance: tolerance ?? 0, ...cell };
    case "contains":
      return { name, wholeWords: flags.wholeWords, ...cell };
    case "json":
      return { name, path: need(path, "--path JSONPATH", name), ordered: flags.ordered, ...cell };
    case "schema":
      need(requests, "--requests BATCH.jsonl, which has the schemas", name);
      return { name };
    case "model": {
      const model = need(judgeModel, "--judge-model NAME", name);
      return { name, model, rubric: await readRubric(need(rubric, "--rubric FILE", name)) };
    }
    default:
      return { name, ...cell };
  }
}

/** How cells with several values are read; undefined where each is one value. */
function readCellFlags({ as: name, anyOf, set }: GradeFlags): CellReading | undefined {
  const [flag, value, as] =
    set === undefined ? (["--any-of", anyOf, "any"] as const) : (["--set", set, "set"] as const);
  if (value === undefined) return undefined;
  if (anyOf !== undefined && set !== undefined) refuse("--any-of and --set can't be given together.");
  if (name === "schema" || name === "model") refuse(`${flag} is for graders that compare with a column, not ${name}.`);
  return { as, ...(value !== true && { separator: value }) };
}

function need(value: string | undefined, flag: string, grader: Grader["name"]): string {
  return value ?? refuse(`sheaf grade --as ${grader} needs ${flag}.`);
}

function refuse(message: string): never {
  throw new CliError(message, exitCodes.unusable);
}

async function readRubric(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw describeFileError(error, file);
  });
  const rubric = text.replace(/^\ufeff/, "").trim();
  return rubric === "" ? refuse(`${file}: it is empty.`) : rubric;
}

/** Null where every answer is graded. The values of a row are checked here, where its line is known. */
async function readExpectedOf(
  flags: GradeFlags,
  grader: Grader,
  io: CommandProcess,
): Promise<readonly ExpectedAnswer[] | null> {
  const { expected, id, column } = flags;
  if (expected === undefined || id === undefined) return null;
  const findMistake =
    grader.name === "model" || grader.name === "label" ? () => null : (await prepareGrader(grader)).findMistake;
  const columns = { id, column: column ?? null, findMistake };
  const layout = await toLayout(withoutPrefix(flags));
  return await withTemporaryFolder(io, (folder) =>
    readExpected(expected, folder, columns, layout, (table) => {
      for (const line of describeReading(expected, table)) printError(line, io);
    }),
  );
}

async function prepareGrader(grader: RulesGrader) {
  const { createGrader } = await loadGraders();
  try {
    return createGrader(grader);
  } catch (error) {
    if (!(error instanceof GraderError)) throw error;
    const flag = grader.name === "json" ? "--path" : "--set";
    throw new CliError(`${flag}: ${error.message}`, exitCodes.unusable);
  }
}

/** Labels are counted for the graders that are used for them. */
async function listLabels(expected: readonly ExpectedAnswer[], grader: Grader): Promise<ColumnLabels> {
  if (grader.name !== "label" && grader.name !== "json") return { labels: null, items: null };
  async function* cells() {
    yield expected.map((line) => line.expected ?? "");
  }
  const { collectLabels } = await loadGraders();
  try {
    return await collectLabels(cells(), grader);
  } catch (error) {
    throw error instanceof GraderError ? new CliError(error.message, exitCodes.unusable) : error;
  }
}

interface Grading {
  readonly flags: GradeFlags;
  readonly expected: readonly ExpectedAnswer[] | null;
  readonly labels: ColumnLabels;
  readonly tally: ReturnType<Awaited<ReturnType<typeof loadGraders>>["createTally"]>;
  readonly target: AtomicFile | null;
  readonly io: CommandProcess;
}

async function gradeAll(
  { flags, expected, labels, tally, target, io }: Grading,
  gradeAnswer: GradeAnswer,
  model: ModelJudge | null,
): Promise<ExitCode> {
  const { batch, requests = null } = flags;
  const concurrency = model?.concurrency ?? 1;
  const tallies = new Map<string, number>();
  let example: LineGrade | null = null;
  const gradeAndCount: GradeAnswer = async (input) => {
    const found = await gradeAnswer(input);
    if ("problem" in found) return found;
    if (found.grade === "fail") example ??= found;
    for (const [key, count] of Object.entries(tally(input, found))) tallies.set(key, (tallies.get(key) ?? 0) + count);
    return found;
  };
  const graded = await gradeFiles({ answers: batch, requests, expected, grade: gradeAndCount, concurrency });
  const progress = createProgress({
    label: "Grading",
    phrase: (done, total) => `${done.toLocaleString("en")} of ${formatCount(total, "answer")}`,
    silent: flags.json,
    inFlight: concurrency,
    io,
  });
  const counts = { pass: 0, fail: 0, no_answer: 0, no_expected: 0 };
  const problems: string[] = [];
  try {
    for await (const { customId, grade: found } of graded.lines) {
      if ("problem" in found) problems.push(found.problem);
      else {
        counts[found.grade] += 1;
        await target?.write(Buffer.from(`${JSON.stringify({ custom_id: customId, ...found })}\n`));
      }
      progress.update(
        counts.pass + counts.fail + counts.no_answer + counts.no_expected + problems.length,
        graded.total,
      );
    }
  } finally {
    progress.stop();
  }
  const summary = summarizeGrades({ counts, tallies, ...labels });
  if (summary.passed + summary.failed === 0 && graded.others > 0) {
    refuse(`${batch}: none of its custom_ids with an answer stands in column '${flags.id}' of ${flags.expected}.`);
  }
  await target?.commit();
  if (flags.json) {
    const spend = { saved: model?.saved.reused ?? 0, ...toJsonSpend(model?.readSpend() ?? noSpend) };
    print(JSON.stringify({ ...toJson(summary), ...spend }), io);
  } else {
    // Where the grades have standard output, it has nothing else.
    const say = flags.output === "-" ? printError : print;
    for (const line of formatSummary(summary, example)) say(line, io);
    if (model !== null) reportModel(model, io);
  }
  if (graded.others > 0) {
    printError(`${formatCount(graded.others, "answer")} passed over: nothing is expected of them.`, io);
  }
  const [problem] = problems;
  if (problem === undefined) return exitCodes.ok;
  printError(`${formatCount(problems.length, "answer")} without a grade: ${problem}.`, io);
  return exitCodes.failed;
}

function toJson({ graded, passed, failed, noAnswer, noExpected, accuracy, interval }: GradeSummary) {
  return { graded, passed, failed, no_answer: noAnswer, no_expected: noExpected, accuracy, interval };
}

const percent = (share: number) => `${(100 * share).toLocaleString("en", { maximumFractionDigits: 1 })} %`;

/** For a person at a terminal: the counts, the accuracy, and how well each label is met. */
function formatSummary(
  { graded, passed, failed, noAnswer, noExpected, accuracy, interval, labels, failure }: GradeSummary,
  example: LineGrade | null,
): string[] {
  const number = (value: number) => value.toLocaleString("en");
  const [low, high] = interval ?? [0, 0];
  const confusions = labels === null ? [] : listConfusions(labels);
  const rest = confusions.slice(mostConfusions);
  return [
    `${number(graded)} graded: ${number(passed)} passed, ${number(failed)} failed, ${number(noAnswer)} without an answer.`,
    ...(accuracy === null
      ? []
      : [`Accuracy ${percent(accuracy)}; with 95 % certainty between ${percent(low)} and ${percent(high)}.`]),
    ...(labels?.labels ?? []).map(({ label, precision, recall }) => {
      const [found, right] = [recall, precision].map((share) => (share === null ? "–" : percent(share)));
      return `${label}: precision ${right}, recall ${found}.`;
    }),
    ...confusions.slice(0, mostConfusions).map(({ expected, given, count }) => {
      return `${expected} → ${given ?? (labels?.areLists ? "nothing" : "another text")}: ${number(count)}.`;
    }),
    ...(rest.length === 0
      ? []
      : [`${formatCount(rest.length, "other pair")}: ${number(rest.reduce((sum, { count }) => sum + count, 0))}.`]),
    ...(noExpected === 0
      ? []
      : [`${formatCount(noExpected, "row")} ${noExpected === 1 ? "has" : "have"} no expected answer.`]),
    ...explainFailures({ passed, failed, failure }, example),
  ];
}

/** Most labels taken for others that are listed. */
const mostConfusions = 20;

/** What to look at where no answer passed, or all that failed did so alike. */
function explainFailures(
  { passed, failed, failure }: Pick<GradeSummary, "passed" | "failed" | "failure">,
  example: LineGrade | null,
): string[] {
  if (failed < 2 || (passed > 0 && failure === null)) return [];
  if (failure !== null) return [`All ${failed.toLocaleString("en")} failed answers have the same problem: ${failure}`];
  const [expected, given] = [example?.expected ?? "", example?.given ?? ""].map((text) =>
    JSON.stringify(text.slice(0, 80)),
  );
  return [
    `No answer passed. For example, ${expected} was expected, and ${given} was given. Check --as, --column and --path.`,
  ];
}
