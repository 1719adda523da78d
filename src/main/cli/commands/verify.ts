import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import {
  type Claim,
  describeClaimCounts,
  isAboutForm,
  longestVerifyText,
  type NearestPassage,
  type TextSpan,
  type Verdict,
  type VerifyInput,
  type VerifyResult,
  verdictOf,
} from "#contract";
import { CliError, describeFileError, type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, print } from "../command-process.ts";
import { describeSpend, type Spend } from "../judge-spend.ts";
import type { VerifyFlags } from "../judging-flags.ts";
import { withJudgeOf } from "../open-judge.ts";

/** `sheaf verify`: one response, claim by claim. */
export async function verify(flags: VerifyFlags, io: CommandProcess): Promise<ExitCode> {
  refuseBatchFlags(flags);
  let isFallback = false;
  const onFallback = () => {
    isFallback = true;
  };
  const { result, spend } = await withJudgeOf(flags, null, io, async (verifier, model) => ({
    result: await verifier.verify(await readInput(flags, io.stdin), { onFallback }),
    spend: model?.readSpend() ?? null,
  }));
  if (!flags.json) print(formatVerdict(result, spend), io);
  else print(JSON.stringify(spend?.cost == null ? result : { ...result, cost: spend.cost }), io);
  return isFallback || isRejected(result) ? exitCodes.failed : exitCodes.ok;
}

/** Whether a response failed: a claim is contradicted, or the judge model rejects one. */
export function isRejected({ is_hallucination, claims }: VerifyResult): boolean {
  return is_hallucination || claims.some(({ judge, verdict }) => judge === "model" && verdict === "not_found");
}

function refuseBatchFlags({ input, output, systemAsDocument, fresh }: VerifyFlags): void {
  const ofBatches = {
    "--input": input,
    "--output": output,
    "--system-as-document": systemAsDocument || undefined,
    "--fresh": fresh || undefined,
  };
  const stranger = Object.entries(ofBatches).find(([, value]) => value !== undefined);
  if (stranger !== undefined) throw new CliError(`${stranger[0]} is for --batch.`, exitCodes.unusable);
}

/** What `-` means instead of a file. */
type Stdin = CommandProcess["stdin"];

async function readInput(flags: VerifyFlags, stdin: Stdin): Promise<VerifyInput> {
  const files = [flags.promptFile, flags.responseFile, flags.document].filter((file) => file === "-");
  if (files.length > 1) throw new CliError("only one text can come from standard input.", exitCodes.unusable);
  const prompt = await readText("prompt", flags.prompt, flags.promptFile, stdin);
  const response = await readText("response", flags.response, flags.responseFile, stdin);
  const document = flags.document === undefined ? null : await readTextFile(flags.document, stdin);
  return { prompt, response, document, strict: flags.strict, ...(flags.ignoreForm && { form: false }) };
}

async function readText(
  name: string,
  given: string | undefined,
  file: string | undefined,
  stdin: Stdin,
): Promise<string> {
  if (given !== undefined && file !== undefined) {
    throw new CliError(`--${name} and --${name}-file are for the same text: one of them.`, exitCodes.unusable);
  }
  if (given !== undefined) return given;
  if (file !== undefined) return await readTextFile(file, stdin);
  throw new CliError(`sheaf verify needs --${name} TEXT or --${name}-file FILE.`, exitCodes.unusable);
}

async function readTextFile(file: string, stdin: Stdin): Promise<string> {
  const content = await readContent(file, stdin);
  if (content.length <= longestVerifyText) return content;
  const most = longestVerifyText.toLocaleString("en");
  throw new CliError(`${file}: it has more than the ${most} characters that can be verified.`, exitCodes.unusable);
}

async function readContent(file: string, stdin: Stdin): Promise<string> {
  try {
    const content = file === "-" ? await readAll(stdin) : await readFile(file, "utf8");
    return content.startsWith("\ufeff") ? content.slice(1) : content;
  } catch (error) {
    throw describeFileError(error, file);
  }
}

const marks: Readonly<Record<Verdict, string>> = {
  contradicted: "✗",
  not_found: "?",
  supported: "✓",
  not_checkable: "–",
};
/** The verdicts in the words of the screens. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  contradicted: "Contradicted",
  not_found: "Not in the document",
  supported: "Supported",
  not_checkable: "Not checkable",
};
const longestQuote = 160;
const mostWords = 8;

/** A result for a person at a terminal: the verdict and the counts, then each claim with its reason and its evidence. */
function formatVerdict(result: VerifyResult, spend: Spend | null): string {
  const explanation = toLine(result.explanation);
  const isForm = explanation.startsWith("Form broken: ");
  const headline = isForm ? explanation : `${verdictWords[verdictOf(result.counts)]}: ${explanation}`;
  const counts = describeClaimCounts(result.counts);
  const used = spend === null ? [] : ["", describeSpend(spend)];
  return [headline, ...(counts === "" ? [] : [counts]), ...result.claims.flatMap(formatClaim), ...used].join("\n");
}

function formatClaim(claim: Claim): string[] {
  const { span, verdict, judge, findings, nearest } = claim;
  const isBroken = isAboutForm(claim) && verdict === "contradicted";
  const word = isBroken
    ? "Form broken"
    : isAboutForm(claim) && verdict === "supported"
      ? "Form kept"
      : verdictWords[verdict];
  const by = judge === "model" ? " (model)" : "";
  return [
    "",
    `${marks[verdict]} ${word}${by}: ${quote(span)}`,
    ...findings.flatMap(({ kind, reason, evidence }) => [
      `  ${toLine(reason)}${kind === null ? "" : ` (${kind})`}`,
      ...evidence.map(formatEvidence),
    ]),
    ...(nearest === undefined ? [] : formatNearest(nearest)),
  ];
}

/** The passage to compare with, and the words that differ. */
function formatNearest({ span, differing }: NearestPassage): string[] {
  const wordsOf = (isInResponse: boolean) =>
    differing.filter(({ source }) => (source === "response") === isInResponse).map(({ text }) => toLine(text));
  const [own, others] = [wordsOf(true), wordsOf(false)].map(
    (words) => words.slice(0, mostWords).join(", ") || "nothing",
  );
  return [
    `  Nearest: ${formatEvidence(span).trim()}`,
    `  Differs: ${own} in the response; ${others} in the ${span.source}.`,
  ];
}

function formatEvidence(span: TextSpan): string {
  return `  ${span.source} ${span.start}–${span.end}: ${quote(span)}`;
}

function quote({ text }: TextSpan): string {
  const line = toLine(text);
  return `"${line.length <= longestQuote ? line : `${line.slice(0, longestQuote).toWellFormed()}…`}"`;
}

/** Untrusted text as one line without control characters, so that it can't move the cursor or change colours. */
function toLine(text: string): string {
  return text
    .slice(0, 4 * longestQuote)
    .replaceAll(/[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .trim();
}
