import { readFile } from "node:fs/promises";
import { formatCount, type Verdict, verdictSchema } from "#contract";
import { type Verifier, verdictOf } from "#main/judging";
import { BatchFilesError, countKinds, openBatchFiles, verifyFiles } from "#main/verifications";
import { type AtomicFile, nameOutput, openOutput } from "../atomic-file.ts";
import { CliError, describeFileError, type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, exitCodeOf, onStopSignal, print, printError } from "../command-process.ts";
import { formatSeconds } from "../format.ts";
import { checkInputFile, refuseOverwriting, refuseSharedOutput } from "../input-file.ts";
import type { VerifyFlags } from "../judging-flags.ts";
import { withJudgeOf } from "../open-judge.ts";
import { createProgress } from "../progress.ts";
import { isRejected, verdictWords } from "./verify.ts";

/** Verdicts are written together when they have so many characters. */
const writeAt = 64 * 1024;

/** The files of a batch, and the target of the verdicts. */
interface BatchPaths {
  readonly answers: string;
  readonly input: string;
  readonly output: string;
}

interface Tally {
  answers: number;
  readonly verdicts: Record<Verdict, number>;
  /** With `--strict`, and with a model as judge, also answers with a claim that is not in the document. */
  wrong: number;
  /** How many answers the rules alone judged though a model was asked for, and why the first of them. */
  rulesAlone: number;
  problem: string | null;
  readonly kinds: Map<string, number>;
}

/** `sheaf verify --batch OUT --input IN -o FILE`: every answer of a batch, one line of JSON for each. */
export async function verifyBatch(flags: VerifyFlags, io: CommandProcess): Promise<ExitCode> {
  const paths = readPaths(flags);
  refuseSharedOutput(flags.json, [paths.output]);
  await checkInputFile(paths.answers);
  await checkInputFile(paths.input);
  await refuseOverwriting(paths.answers, [paths.output]);
  await refuseOverwriting(paths.input, [paths.output]);
  const document = await readDocument(flags);
  const target = await openOutput(paths.output, io);
  const removeHandlers = onStopSignal((signal) => {
    const exit = () => io.exit(exitCodeOf(signal));
    target.discard().then(exit, exit);
  }, io);
  try {
    return await withJudgeOf(flags, io, ({ verifier, concurrency }) =>
      judgeAll({ flags, paths, target, io }, { verifier, concurrency, document }),
    );
  } catch (error) {
    if (error instanceof BatchFilesError) throw new CliError(error.message, exitCodes.unusable);
    throw error;
  } finally {
    await target.discard();
    removeHandlers();
  }
}

interface Judging {
  readonly verifier: Verifier;
  readonly concurrency: number;
  readonly document: { readonly text: string } | "system_message" | null;
}

interface Run {
  readonly flags: VerifyFlags;
  readonly paths: BatchPaths;
  readonly target: AtomicFile;
  readonly io: CommandProcess;
}

async function judgeAll({ flags, paths, target, io }: Run, judging: Judging) {
  const start = io.machine.monotonic();
  const files = await openBatchFiles(paths.input, paths.answers);
  const { total } = files.index;
  const progress = createProgress({
    label: "Verifying",
    phrase: (done) => `${formatCount(done, "answer")} so far`,
    silent: flags.json,
    io,
  });
  const tally: Tally = {
    answers: 0,
    verdicts: { contradicted: 0, not_found: 0, supported: 0, not_checkable: 0 },
    wrong: 0,
    rulesAlone: 0,
    problem: null,
    kinds: new Map(),
  };
  let pending = "";
  try {
    for await (const { customId, result, fallback } of verifyFiles({ files, strict: flags.strict, ...judging })) {
      const { is_hallucination, explanation, claims, usage } = result;
      const verdict = verdictOf(result);
      tally.answers += 1;
      tally.verdicts[verdict] += 1;
      tally.wrong += isRejected(result) ? 1 : 0;
      tally.rulesAlone += fallback === null ? 0 : 1;
      tally.problem ??= fallback;
      for (const [kind, count] of Object.entries(countKinds(result))) {
        tally.kinds.set(kind, (tally.kinds.get(kind) ?? 0) + count);
      }
      const line = { custom_id: customId, verdict, is_hallucination, explanation, claims, usage };
      pending += `${JSON.stringify(line)}\n`;
      progress.update(tally.answers, total);
      if (pending.length < writeAt) continue;
      await target.write(Buffer.from(pending));
      pending = "";
    }
    await target.write(Buffer.from(pending));
  } finally {
    progress.stop();
  }
  await target.commit();
  return report(tally, total, { flags, output: paths.output, took: io.machine.monotonic() - start, io });
}

interface About {
  readonly flags: VerifyFlags;
  readonly output: string;
  /** Milliseconds. */
  readonly took: number;
  readonly io: CommandProcess;
}

function report(
  { answers, verdicts, wrong, rulesAlone, problem, kinds }: Tally,
  total: number,
  { flags, output, took, io }: About,
): ExitCode {
  const unanswered = total - answers;
  if (flags.json) {
    const counts = { answers, ...verdicts, rules_alone: rulesAlone, kinds: Object.fromEntries(kinds), unanswered };
    print(JSON.stringify({ ...counts, output, seconds: took / 1_000 }), io);
  } else {
    const counts = verdictSchema.options
      .map((verdict) => `${number(verdicts[verdict])} ${verdictWords[verdict].toLowerCase()}`)
      .join(", ");
    printError(`${nameOutput(output)}: ${formatCount(answers, "answer")} in ${formatSeconds(took)}: ${counts}.`, io);
    const found = Array.from(kinds).sort(([, a], [, b]) => b - a);
    if (found.length > 0) {
      const list = found.map(([kind, count]) => `${kind} ${number(count)}`).join(", ");
      printError(`Contradicted or not in the document: ${list}.`, io);
    }
    if (problem !== null) {
      printError(`${number(rulesAlone)} of ${formatCount(answers, "answer")} judged by rules alone: ${problem}.`, io);
    }
    if (unanswered > 0) printError(`${formatCount(unanswered, "request")} without an answer passed over.`, io);
  }
  const judgedNothing = answers > 0 && rulesAlone === answers;
  if (judgedNothing) printError("The model judged no answer.", io);
  return wrong > 0 || judgedNothing ? exitCodes.failed : exitCodes.ok;
}

const number = (count: number) => count.toLocaleString("en");

function readPaths({ batch, input, output, ...flags }: VerifyFlags): BatchPaths {
  const ofOne = {
    "--prompt": flags.prompt,
    "--prompt-file": flags.promptFile,
    "--response": flags.response,
    "--response-file": flags.responseFile,
  };
  const stranger = Object.entries(ofOne).find(([, value]) => value !== undefined);
  if (stranger !== undefined)
    throw new CliError(`${stranger[0]} is for one response, not --batch.`, exitCodes.unusable);
  const [answers, requests] = [need(batch, "--batch OUT"), need(input, "--input IN")];
  return { answers, input: requests, output: need(output, "-o FILE") };
}

function need(value: string | undefined, flag: string): string {
  if (value !== undefined) return value;
  throw new CliError(`sheaf verify of a batch needs ${flag}.`, exitCodes.unusable);
}

async function readDocument({ document, systemAsDocument }: VerifyFlags): Promise<Judging["document"]> {
  if (document === undefined) return systemAsDocument ? "system_message" : null;
  if (systemAsDocument) {
    throw new CliError("--document and --system-as-document are for the same text: one of them.", exitCodes.unusable);
  }
  const text = await readFile(document, "utf8").catch((error) => {
    throw describeFileError(error, document);
  });
  return { text };
}
