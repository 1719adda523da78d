import type { Kind } from "./kinds.ts";

/** How a service answers one create. `made` says whether there is a batch afterwards. */
export type CreateFault = { readonly made: boolean } & (
  | {
      readonly status: number;
      /** `moved`: the same place with `/moved` before its path, where a request is served as usual. */
      readonly location?: "moved" | "login" | "batch" | "elsewhere";
      /** The body in place of the service's error or a proxy's page. */
      readonly body?: string;
    }
  // The connection is cut, or no answer ever comes.
  | { readonly ends: "cut" | "hang" }
);

/** What becomes of one line in the files of results, as one or more rows in this order. */
export type Row =
  | "answer"
  // Another answer to the same request, at no further price.
  | "other answer"
  | "error"
  // An error among the outputs, where these have a file of their own.
  | "error in output"
  | "expired"
  | "canceled"
  // Answered, paid and counted as done, but not in the file.
  | "withheld"
  // A line that is no JSON, or longer than anyone reads, in place of a paid answer.
  | "unreadable"
  | "overlong";

export interface Counts {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly expired: number;
  readonly canceled: number;
}

/** A batch of another job in the list, with the same custom_ids as ours. */
export interface Night {
  /** How long before the stand-in's start it was created, or after our first create, in milliseconds. */
  readonly ago?: number;
  readonly after?: number;
}

export type Download = "whole" | "empty" | "cut in a line" | "cut at a line" | "short" | "slow" | "hang" | number;

/** How a service behaves. What is left out is as its documentation says. */
export interface Behaviour {
  /** The kinds that can behave so; all of them when left out. */
  readonly on?: readonly Kind[];
  /** How creates are answered, in turn; all further ones as usual. */
  readonly creates?: readonly CreateFault[];
  readonly list?: {
    readonly redirect?: number;
    readonly location?: "moved" | "login" | "elsewhere";
    readonly status?: number;
    /** How often the list is read without our batches. */
    readonly hidesOwn?: number;
    readonly nights?: readonly Night[];
    readonly isOldestFirst?: boolean;
    /** What records don't have of what was sent; a copy is another file id with the same content. */
    readonly forgets?: "mark" | "mark and file" | "mark, file is a copy";
  };
  readonly clock?: { readonly date?: "none" | "broken"; readonly offset?: number };
  /** The word of the final state, in lower case; each protocol writes it its own way. */
  readonly state?: string;
  readonly counts?: (truth: Counts) => Counts | null;
  /** When a file of results is named in the record: after so many reads of it, and so long after the end. */
  readonly file?: {
    readonly which?: "output" | "error";
    readonly reads?: number;
    readonly after?: number;
    readonly until?: null | "";
  };
  /** How downloads of results are answered, in turn; all further ones as the last. */
  readonly downloads?: readonly Download[];
  /** The rows of the line `at` of `total` in the `read`th whole download, from 0; infinite for what stays in the end. */
  readonly rows?: (line: { readonly at: number; readonly total: number }, read: number) => readonly Row[];
  /** The models that are listed, or the status in place of a list. */
  readonly models?: readonly string[] | number;
  /** LM Studio's answer to each path that it doesn't have. */
  readonly answersAnyPath?: boolean;
}
