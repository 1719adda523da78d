import type { Received, Reply } from "../stand-in.ts";
import type { Counts } from "./behaviour.ts";
import type { Family, Line } from "./kinds.ts";
import type { Answered, Refused } from "./line-behaviour.ts";

/** What a request asks for, in terms that all services share. */
export type Action =
  /** `mark` is what the client can find its batch by: metadata or a name. */
  | { readonly do: "create"; readonly lines: readonly Line[]; readonly file: string | null; readonly mark: unknown }
  | { readonly do: "list"; readonly limit: number; readonly after: string | null }
  | { readonly do: "show" | "cancel"; readonly id: string }
  | { readonly do: "results"; readonly id: string; readonly file: ResultFile }
  | { readonly do: "call"; readonly line: Line; readonly isStream: boolean; readonly hasUsage: boolean }
  | { readonly do: "models" }
  | { readonly do: "reply"; readonly reply: Reply };

export type ResultFile = "output" | "error";

/** A batch as its record shows it. Times are Unix milliseconds. */
export interface BatchView {
  readonly id: string;
  readonly model: string;
  readonly file: string | null;
  readonly mark: unknown;
  /** In lower case: `in_progress`, `cancelling` or a final state. */
  readonly word: string;
  readonly isOver: boolean;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly total: number;
  /** Null where the record has none. */
  readonly counts: Counts | null;
  /** The named files of results: true, or what stands in place of a name. */
  readonly files: Readonly<Record<ResultFile, true | null | "">>;
}

/** One row of a file of results, before it is written. */
export type RowContent =
  | { readonly what: "answer"; readonly text: string; readonly outcome: Answered }
  | { readonly what: "error"; readonly outcome: Refused }
  | { readonly what: "expired" }
  | { readonly what: "canceled" };

/** The files that a client has sent. */
export interface SentFiles {
  add(content: Buffer): string;
  set(id: string, content: Buffer): void;
  get(id: string): Buffer | undefined;
}

/** The wire of one service. */
export interface Protocol {
  readonly family: Family;
  /** Where the vendor's client begins, after the server's address. */
  readonly path: string;
  /** True where failed lines have a file of their own. */
  readonly hasErrorFile: boolean;
  read(request: Received, files: SentFiles): Action | Promise<Action>;
  showBatch(view: BatchView, origin: string): Record<string, unknown>;
  showCreated(view: BatchView, origin: string): Record<string, unknown>;
  showList(views: readonly BatchView[], hasMore: boolean, origin: string): unknown;
  showModels(names: readonly string[]): unknown;
  /** A line of an input file, where there are such files. */
  writeSent(line: Line): unknown;
  /** The path of a batch's record. */
  placeOf(id: string): string;
  writeRow(line: Line, content: RowContent, at: number): unknown;
  /** The body of a call's answer; as events where a stream was asked for. */
  writeAnswer(line: Line, text: string, outcome: Answered): Record<string, unknown>;
  writeEvents(answer: Record<string, unknown>, hasUsage: boolean): string;
}

/** An answer that the service gives as it is. */
export const reply = (value: Reply): Action => ({ do: "reply", reply: value });

/** The tokens of a prompt, about four characters each, of which the server may have read only so many. */
export function countPrompt({ size }: Line, atMost = Number.POSITIVE_INFINITY): number {
  return Math.min(atMost, Math.max(1, Math.ceil(size / 4)));
}
