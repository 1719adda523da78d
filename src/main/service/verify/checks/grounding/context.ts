import type { TextSpan, Verdict } from "#contract";
import { type NumberMention, wordsOf } from "../../text/index.ts";
import type { Finding, Range, Reading } from "../../types.ts";
import { type Evidence, indexEvidence } from "./evidence.ts";
import { findSource, type Source } from "./find-source.ts";
import { findTask, isForeign } from "./find-task.ts";
import { type Question, readQuestion } from "./question.ts";
import { type Answer, readAnswer } from "./response.ts";
import { isWordProblem } from "./word-problem.ts";

/** All that a part of the grounding check goes by. */
export interface Context {
  readonly reading: Reading;
  readonly evidence: Evidence;
  readonly question: Question;
  readonly answer: Answer;
  /** The numbers of the passage. */
  readonly numbers: readonly NumberMention[];
  /** Whether the response may well say what the text doesn't have: it is made from it, or in another language. */
  readonly isFree: boolean;
  /** Whether the answer has to be worked out and need not stand in the passage. */
  readonly isWorkedOut: boolean;
  /** "The document" or "The passage". */
  readonly subject: string;
}

/** One part of the grounding check. */
export type Part = (context: Context) => readonly Finding[];

/** What the parts go by; null where there is neither a document nor a passage. */
export function readContext(reading: Reading): Context | null {
  const source = findSource(reading);
  return source === null ? null : new ReadContext(reading, source);
}

/**
 * Evidence and answer, which take longest, are read when they are first asked for: nobody asks where the response is free or
 * worked out. A class for the same reason as a passage.
 */
class ReadContext implements Context {
  readonly reading: Reading;
  readonly question: Question;
  readonly isFree: boolean;
  readonly isWorkedOut: boolean;
  readonly subject: string;
  readonly #source: Source;
  #evidence: Evidence | undefined;
  #answer: Answer | undefined;

  constructor(reading: Reading, source: Source) {
    this.#source = source;
    this.reading = reading;
    this.question = readQuestion(reading, source);
    this.isFree = isFree(reading, source);
    this.isWorkedOut = isWordProblem(reading.prompt.text, source, this.question, reading.response.text);
    this.subject = `The ${source.noun}`;
  }

  get evidence() {
    this.#evidence ??= indexEvidence(this.reading, this.#source);
    return this.#evidence;
  }

  get answer() {
    this.#answer ??= readAnswer(this.reading, this.evidence, this.numbers);
    return this.#answer;
  }

  get numbers() {
    return this.evidence.passage.numbers;
  }
}

/** Where a document is given, the response is to go by it, whatever is to be made. */
function isFree({ prompt, response }: Reading, source: Source): boolean {
  const asking = source.question.map((index) => sliceOf(prompt, index)).join("\n");
  const task = findTask(asking.slice(0, longestAsking), response.text.slice(0, longestAsking));
  return task === "translate" || (task === "make" && source.noun === "passage") || isForeign(wordsOf(response));
}

function sliceOf({ text, sentences }: Reading["prompt"], index: number): string {
  const range = sentences[index];
  return range ? text.slice(range.start, range.end) : "";
}

export function createFinding(
  verdict: Verdict,
  range: Range,
  reason: string,
  evidence: readonly TextSpan[] = [],
): Finding {
  return { check: "grounding", verdict, range, reason, evidence };
}

const longestAsking = 4_000;
const longestQuote = 80;

/** A part of a text for a reason: in quotation marks, on one line, not too long. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `“${line.length > longestQuote ? `${line.slice(0, longestQuote)}…` : line}”`;
}
