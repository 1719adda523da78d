import { readFile } from "node:fs/promises";
import {
  agreementOf,
  formatCount,
  storedVerifyResultSchema,
  type Verdict,
  type VerifyInput,
  verdictOf,
  verdictSchema,
} from "#contract";
import { isHallucination, type Verifier } from "#main/judging";
import { BatchFilesError, countKinds, openBatchFiles, verifyFiles, verifyOnce } from "#main/verifications";
import { type AtomicFile, nameOutput, openOutput } from "../atomic-file.ts";
import { CliError, describeFileError, type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, print, printError } from "../command-process.ts";
import { formatSeconds } from "../format.ts";
import { checkInputFile, refuseOverwriting, refuseSharedOutput } from "../input-file.ts";
import { chooseJudge } from "../judge-flags.ts";
import { describeSpend, noSpend, toJsonSpend } from "../judge-spend.ts";
import type { VerifyFlags } from "../judging-flags.ts";
import { type ModelJudge, withJudgeOf } from "../open-judge.ts";
import { createProgress } from "../progress.ts";
import { type GentleStop, stopGently } from "../stop-gently.ts";
import { withCleanUp } from "../temporary-folder.ts";
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
  /** Answers without the form that their prompts ask for. */
  broken: number;
  /** Answers of which rules and model disagree. */
  disagreements: number;
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
  const stop = chooseJudge(flags).judge === "rules" ? null : stopGently(io);
  try {
    return await withJudgeOf(flags, paths.input, io, async (verifier, model) => {
      const run = { flags, paths, target, io, document, model };
      if (stop === null || model === null) return await judgeByRules(run, verifier);
      return await judgeAll(run, verifySaved(verifier, model, stop)).catch((error: unknown) => {
        if (!stop.stopped.aborted) throw error;
        return reportStopped(model, io);
      });
    });
  } catch (error) {
    if (error instanceof BatchFilesError) throw new CliError(error.message, exitCodes.unusable);
    throw error;
  } finally {
    await target.discard();
    stop?.remove();
  }
}

/** Rules cost nothing: a signal drops what they found so far. */
async function judgeByRules(run: Run, verifier: Verifier): Promise<ExitCode> {
  return await withCleanUp(run.io, async (onStop) => {
    onStop(run.target.discard);
    return await judgeAll(run, (_customId, input) => verifyOnce(verifier, input));
  });
}

/** Takes the verdicts that are saved, and saves the others as they come. Where the rules alone judged, the model is asked again the next time. */
function verifySaved(verifier: Verifier, { saved }: ModelJudge, stop: GentleStop): Verify {
  return async (customId, input) => {
    const { prompt, document, response, strict, form } = input;
    let fallback: string | null = null;
    const result = await saved.judge(
      [customId, prompt, document, response, ...(form === false ? [{ form }] : [])],
      storedVerifyResultSchema,
      () =>
        stop.run(async (signal) => {
          const verified = await verifyOnce(verifier, input, signal);
          ({ fallback } = verified);
          return { verdict: verified.result, isFinal: fallback === null };
        }),
    );
    return { result: { ...result, is_hallucination: isHallucination(result.claims, strict) }, fallback };
  };
}

type Verify = (customId: string, input: VerifyInput) => ReturnType<typeof verifyOnce>;

interface Run {
  readonly flags: VerifyFlags;
  readonly paths: BatchPaths;
  readonly target: AtomicFile;
  readonly io: CommandProcess;
  readonly document: { readonly text: string } | "system_message" | null;
  /** Null where the rules judge. */
  readonly model: ModelJudge | null;
}

async function judgeAll({ flags, paths, target, io, document, model }: Run, verify: Verify) {
  const start = io.machine.monotonic();
  const files = await openBatchFiles(paths.input, paths.answers);
  const { total } = files.index;
  const concurrency = model?.concurrency ?? 1;
  const progress = createProgress({
    label: "Verifying",
    phrase: (done) => `${formatCount(done, "answer")} so far`,
    silent: flags.json,
    inFlight: concurrency,
    io,
  });
  const tally: Tally = {
    answers: 0,
    verdicts: { contradicted: 0, not_found: 0, supported: 0, not_checkable: 0 },
    broken: 0,
    disagreements: 0,
    wrong: 0,
    rulesAlone: 0,
    problem: null,
    kinds: new Map(),
  };
  let pending = "";
  const { strict, ignoreForm } = flags;
  try {
    for await (const line of verifyFiles({ files, verify, document, strict, form: !ignoreForm, concurrency })) {
      const { customId, result, fallback } = line;
      const { is_hallucination, explanation, claims, counts, usage } = result;
      const verdict = verdictOf(result.counts);
      tally.answers += 1;
      tally.verdicts[verdict] += 1;
      tally.broken += counts.form.broken > 0 ? 1 : 0;
      tally.disagreements += agreementOf(claims) === "disagree" ? 1 : 0;
      tally.wrong += isRejected(result) ? 1 : 0;
      tally.rulesAlone += fallback === null ? 0 : 1;
      tally.problem ??= fallback;
      for (const [kind, count] of Object.entries(countKinds(result))) {
        tally.kinds.set(kind, (tally.kinds.get(kind) ?? 0) + count);
      }
      pending += `${JSON.stringify({ custom_id: customId, verdict, is_hallucination, explanation, counts, claims, usage })}\n`;
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
  return report(tally, total, { flags, output: paths.output, took: io.machine.monotonic() - start, model, io });
}

interface About {
  readonly flags: VerifyFlags;
  readonly output: string;
  /** Milliseconds. */
  readonly took: number;
  readonly model: ModelJudge | null;
  readonly io: CommandProcess;
}

function report(
  { answers, verdicts, broken, disagreements, wrong, rulesAlone, problem, kinds }: Tally,
  total: number,
  { flags, output, took, model, io }: About,
): ExitCode {
  const unanswered = total - answers;
  if (flags.json) {
    const counts = {
      answers,
      ...verdicts,
      form_broken: broken,
      disagreements,
      rules_alone: rulesAlone,
      kinds: Object.fromEntries(kinds),
      unanswered,
    };
    const spend = { saved: model?.saved.reused ?? 0, ...toJsonSpend(model?.readSpend() ?? noSpend) };
    print(JSON.stringify({ ...counts, ...spend, output, seconds: took / 1_000 }), io);
  } else {
    const counts = verdictSchema.options
      .map((verdict) => `${number(verdicts[verdict])} ${verdictWords[verdict].toLowerCase()}`)
      .join(", ");
    printError(`${nameOutput(output)}: ${formatCount(answers, "answer")} in ${formatSeconds(took)}: ${counts}.`, io);
    if (broken > 0) printError(`Form broken: ${formatCount(broken, "answer")}.`, io);
    if (disagreements > 0) printError(`Rules and model disagree: ${formatCount(disagreements, "answer")}.`, io);
    if (model !== null) reportModel(model, io);
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

/** What the model used, and how many verdicts an earlier run had saved. */
export function reportModel({ saved, readSpend }: ModelJudge, io: CommandProcess): void {
  if (saved.reused > 0) printError(`${formatCount(saved.reused, "verdict")} of an earlier run used again.`, io);
  printError(describeSpend(readSpend()), io);
}

/** After Ctrl+C. */
export function reportStopped({ saved, readSpend }: ModelJudge, io: CommandProcess): ExitCode {
  const next = saved.isOpen ? ` ${formatCount(saved.size, "verdict")} saved: the same command goes on.` : "";
  printError(`Stopped.${next} ${describeSpend(readSpend())}`, io);
  return exitCodes.interrupted;
}

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

async function readDocument({ document, systemAsDocument }: VerifyFlags): Promise<Run["document"]> {
  if (document === undefined) return systemAsDocument ? "system_message" : null;
  if (systemAsDocument) {
    throw new CliError("--document and --system-as-document are for the same text: one of them.", exitCodes.unusable);
  }
  const text = await readFile(document, "utf8").catch((error) => {
    throw describeFileError(error, document);
  });
  return { text };
}
