import type { Behaviour, Counts, Row } from "./behaviour.ts";
import type { Cashier } from "./bill.ts";
import { fail, type Line } from "./kinds.ts";
import type { Outcome } from "./line-behaviour.ts";
import type { BatchView, Protocol, ResultFile, RowContent } from "./protocol.ts";

/** One batch at a stand-in. */
export interface ScenarioBatch {
  readonly id: string;
  readonly lines: readonly Line[];
  /** True for a batch of the nightly job that isn't ours. */
  readonly isForeign: boolean;
}

export interface Batch extends ScenarioBatch {
  readonly file: string | null;
  readonly mark: unknown;
  /** By the service's clock, in Unix milliseconds. */
  readonly createdAt: number;
  behaviour: Behaviour;
  isCancelled: boolean;
  /** The end by the service's clock; null before. */
  endedAt: number | null;
  /** How often its record was read since the end. */
  reads: number;
  readonly downloads: Record<ResultFile, { tried: number; whole: number }>;
  /** The answers that were handed out whole. */
  readonly handedOut: Set<string>;
}

/** A row as text, and the answer that stands in it. */
export interface WrittenRow {
  readonly text: string;
  readonly answer: string | null;
}

interface BatchesDeps {
  readonly protocol: Protocol;
  readonly cashier: Cashier;
  /** By the service's clock. */
  now(): number;
  /** How a line is answered in a batch. */
  outcomeOf(line: Line): Outcome;
  readonly overlongBytes: number;
}

/** What becomes of batches: which rows their files have in which read, what is counted, and what is paid. */
export function createBatches({ protocol, cashier, now, outcomeOf, overlongBytes }: BatchesDeps) {
  const batches: Batch[] = [];

  function add(sent: Pick<Batch, "lines" | "file" | "mark" | "isForeign" | "createdAt">, behaviour: Behaviour): Batch {
    const batch: Batch = {
      // Gemini's names have no underscore.
      id: `${sent.isForeign ? "n" : "b"}${batches.length + 1}`,
      ...sent,
      behaviour,
      isCancelled: false,
      endedAt: null,
      reads: 0,
      downloads: { output: { tried: 0, whole: 0 }, error: { tried: 0, whole: 0 } },
      handedOut: new Set(),
    };
    batches.push(batch);
    if (!sent.isForeign) for (const { question, id } of sent.lines) cashier.ask(question, id);
    return batch;
  }

  /** A line's rows. An answer is an error where the line is refused whenever it is asked. */
  function rowsOf({ behaviour, lines, isCancelled }: Batch, at: number, read: number): readonly Row[] {
    const line = lines[at];
    if (line === undefined) return [];
    const isLeft = isCancelled && at >= lines.length / 2;
    if (isLeft) return ["canceled"];
    const rows = behaviour.rows?.({ at, total: lines.length }, read) ?? ["answer"];
    const outcome = outcomeOf(line);
    const isRefused = typeof outcome === "object" && "status" in outcome;
    return isRefused ? rows.map((row) => (row.includes("answer") || row === "withheld" ? "error" : row)) : rows;
  }

  const textOf = ({ id, isForeign }: Batch, line: Line, row: Row): string =>
    `${row === "other answer" ? "another answer" : "answer"} to ${line.id} by ${isForeign ? "another job, " : ""}${id}`;

  function writeRow(batch: Batch, line: Line, row: Row, at: number): WrittenRow {
    const outcome = outcomeOf(line);
    const answered = typeof outcome === "object" && !("status" in outcome) ? outcome : {};
    const refused =
      typeof outcome === "object" && "status" in outcome
        ? outcome
        : fail(protocol.family, 503, "The model is overloaded. Please try again later.");
    const write = (content: RowContent) => JSON.stringify(protocol.writeRow(line, content, at));
    const text = textOf(batch, line, row);
    if (row === "answer" || row === "other answer")
      return { text: write({ what: "answer", text, outcome: answered }), answer: text };
    if (row === "unreadable") return { text: `{"custom_id": ${JSON.stringify(line.id)}, "resp`, answer: null };
    if (row === "overlong")
      return { text: write({ what: "answer", text: "x".repeat(overlongBytes), outcome: {} }), answer: null };
    if (row === "expired" || row === "canceled") return { text: write({ what: row }), answer: null };
    return { text: write({ what: "error", outcome: refused }), answer: null };
  }

  const fileOf = (row: Row): ResultFile =>
    protocol.hasErrorFile && (row === "error" || row === "expired" || row === "canceled") ? "error" : "output";

  const isIn = (row: Row, file: ResultFile): boolean => row !== "withheld" && fileOf(row) === file;

  const hasRows = (batch: Batch, file: ResultFile, read: number): boolean =>
    batch.lines.some((_, at) => rowsOf(batch, at, read).some((row) => isIn(row, file)));

  /** All rows of a file in one read. The lines are in another order than they were sent in. */
  function readRows(batch: Batch, file: ResultFile, read: number): WrittenRow[] {
    const rows = batch.lines.map((line, at) =>
      rowsOf(batch, at, read)
        .filter((row) => isIn(row, file))
        .map((row) => writeRow(batch, line, row, at)),
    );
    return rows.toReversed().flat();
  }

  const isDone = (row: Row): boolean => !["error", "error in output", "expired", "canceled"].includes(row);

  function count(batch: Batch): Counts {
    const lines = batch.lines.map((_, at) => rowsOf(batch, at, Number.POSITIVE_INFINITY));
    const have = (test: (rows: readonly Row[]) => boolean) => lines.filter(test).length;
    const completed = have((rows) => rows.some(isDone));
    const [expired, canceled] = (["expired", "canceled"] as const).map((row) => have((rows) => rows.includes(row)));
    const failed = have((rows) => rows.some((row) => row.startsWith("error")) && !rows.some(isDone));
    return { total: lines.length, completed, failed, expired: expired ?? 0, canceled: canceled ?? 0 };
  }

  /** True when a file is named at this time, after so many reads of the record. */
  function isNamed({ behaviour: { file }, endedAt }: Batch, which: ResultFile, reads: number): boolean {
    if (endedAt === null) return false;
    if (file === undefined || (file.which ?? which) !== which) return true;
    return (file.reads === undefined || reads > file.reads) && now() >= endedAt + (file.after ?? 0);
  }

  function view(batch: Batch): BatchView {
    const { id, lines, file, mark, createdAt, endedAt, behaviour, isCancelled, reads } = batch;
    const isOver = endedAt !== null;
    const truth = isOver ? count(batch) : { total: lines.length, completed: 0, failed: 0, expired: 0, canceled: 0 };
    const name = (which: ResultFile) => {
      if (isNamed(batch, which, reads))
        return (
          [batch.downloads[which].whole, Number.POSITIVE_INFINITY].some((read) => hasRows(batch, which, read)) || null
        );
      return isOver && behaviour.file?.until === "" ? "" : null;
    };
    const running = isCancelled ? "cancelling" : "in_progress";
    return {
      id,
      model: lines[0]?.model ?? "some-model",
      file,
      mark,
      word: isOver ? (isCancelled ? "cancelled" : (behaviour.state ?? "completed")) : running,
      isOver,
      createdAt,
      endedAt,
      total: lines.length,
      counts: behaviour.counts === undefined ? truth : behaviour.counts(truth),
      files: { output: name("output"), error: protocol.hasErrorFile ? name("error") : null },
    };
  }

  /** True when the client has got an answer, or would get it by reading on. */
  function canBeHad(batch: Batch, line: Line, at: number, answer: string): boolean {
    if (batch.handedOut.has(answer)) return true;
    const last = batch.behaviour.downloads?.at(-1) ?? "whole";
    if (!isNamed(batch, "output", Number.POSITIVE_INFINITY) || (last !== "whole" && last !== "slow")) return false;
    const rows = rowsOf(batch, at, Number.POSITIVE_INFINITY).filter(
      (row) => row === "answer" || row === "other answer",
    );
    return rows.some((row) => textOf(batch, line, row) === answer);
  }

  /** Ends a batch and charges what was answered. */
  function end(batch: Batch): void {
    if (batch.endedAt !== null) return;
    batch.endedAt = now();
    batch.reads = 0;
    if (batch.isForeign) return;
    for (const [at, line] of batch.lines.entries()) {
      const rows = [0, Number.POSITIVE_INFINITY].flatMap((read) => rowsOf(batch, at, read)).filter(isDone);
      if (rows.length === 0) continue;
      const outcome = outcomeOf(line);
      const hasOwnText = typeof outcome === "object" && "text" in outcome;
      const answers = hasOwnText ? [] : rows.map((row) => textOf(batch, line, row === "other answer" ? row : "answer"));
      cashier.pay(line.question, [...new Set(answers)], (answer) => canBeHad(batch, line, at, answer));
    }
  }

  return { batches, add, view, readRows, end };
}
