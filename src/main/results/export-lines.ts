import { formOf, type LineGrade, type VerifyResult, verdictOf } from "#contract";
import type { BatchPaths } from "./batch-paths.ts";
import type { LineIndex } from "./line-index.ts";
import { readAnswers } from "./read-lines.ts";

/** Lines that are read at a time. */
const step = 500;

/** What a run over the lines of a batch found, by line; null where there was none. */
interface LineResults<Result> {
  results(lines: readonly number[]): Promise<readonly (Result | null)[]>;
}

/** What lines are exported from. */
export interface ExportSource {
  readonly index: LineIndex;
  readonly paths: BatchPaths;
  readonly verdicts: LineResults<VerifyResult> | null;
  readonly grades: LineResults<LineGrade> | null;
}

/** Lines of output and error file, each with its line end and with what was found of it; null where there is no answer. */
export async function readExported(
  { index, paths, verdicts, grades }: ExportSource,
  lines: readonly number[],
): Promise<(Uint8Array | "damaged" | null)[]> {
  const answers = await readAnswers(paths, index, lines);
  const [verified, graded] = await Promise.all([verdicts?.results(lines), grades?.results(lines)]);
  return answers.map((answer, at) =>
    answer === null || answer === "damaged"
      ? answer
      : addMembers(answer, { verification: verified?.[at], grade: graded?.[at] }),
  );
}

/** Numbers of lines, as many at a time as are read at once. */
export function* inSteps(lines: readonly number[]): Generator<readonly number[]> {
  for (let from = 0; from < lines.length; from += step) yield lines.slice(from, from + step);
}

/** `count` numbers of lines from the first one on. */
export function numberLines(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => first + at);
}

const closingBrace = 0x7d;

/** The verification's columns of an exported line. */
function summarize(result: VerifyResult) {
  return {
    verdict: verdictOf(result.counts),
    form: formOf(result.counts),
    counts: result.counts,
    is_hallucination: result.is_hallucination,
    explanation: result.explanation,
    claims: result.claims
      .filter(({ verdict }) => verdict === "contradicted" || verdict === "not_found")
      .map(({ span, verdict, judge, findings }) => ({
        text: span.text,
        start: span.start,
        end: span.end,
        verdict,
        judge,
        findings: findings.map(({ kind, verdict, reason }) => ({ kind, verdict, reason })),
      })),
  };
}

/** The result of a line besides its answer. */
interface LineMembers {
  readonly verification: VerifyResult | null | undefined;
  readonly grade: LineGrade | null | undefined;
}

/** A line of an output file with more members at its end; not a byte before them is another. */
function addMembers(line: Buffer, { verification, grade }: LineMembers): Buffer {
  const added =
    (verification ? `,"verification":${JSON.stringify(summarize(verification))}` : "") +
    (grade ? `,"grade":${JSON.stringify(grade)}` : "");
  if (added === "") return line;
  return Buffer.concat([line.subarray(0, line.lastIndexOf(closingBrace)), Buffer.from(`${added}}\n`)]);
}
