import type { ChatCompletion, ErrorBody, Problem } from "#contract";
import type { Engine } from "./ports.ts";
import type { RemotePart } from "./store/index.ts";

/** Where batches go that are not answered by the service's own engine. Handed in: the service knows no server elsewhere. */
export interface Connections {
  /**
   * What answers the lines of a connection's batches; with `direct`, what calls them one by one. Null when the connection is
   * gone.
   */
  open(connectionId: string, direct: boolean): Promise<LineTarget | null>;
  /** How the requests of a connection are told apart; null when it is gone. */
  identify(connectionId: string, endpoint: string): Promise<RequestIdentity | null>;
  /** Calls the listener with the id of each connection that was changed. The answer stops it. */
  subscribe(listener: (connectionId: string) => void): () => void;
}

/** Which requests of a connection are the same, whatever batch they are in. */
export interface RequestIdentity {
  /** One word for its address and its names of models. */
  readonly answeredAs: string;
  /** Of all that a request says and where it goes. The same for two requests whose answers can stand for each other. */
  keyOf(body: Readonly<Record<string, unknown>>): string;
}

/** Lines are called one by one, or taken to a service that has batches of its own. */
export type LineTarget =
  | { readonly kind: "engine"; readonly engine: Engine }
  | { readonly kind: "remote"; readonly driver: RemoteDriver };

/** Takes batches to a service elsewhere. */
export interface RemoteDriver {
  /** What the service can't do of a request, before anything is sent; `line` counts from 1. */
  check(text: string, line: number): readonly Problem[];
  run(job: RemoteJob): RemoteRun;
}

/** The batch that a driver takes to a service: its lines, and where their answers go. */
export interface RemoteJob {
  readonly batchId: string;
  readonly name: string;
  readonly total: number;
  /** The texts of lines of the input file, from 1, both included. */
  readLines(from: number, to: number): AsyncIterable<string>;
  /** Whether it has an answer, or is to be given one without being asked. */
  isAnswered(line: number): boolean;
  answer(line: number, customId: string, requestId: string | null, completion: ChatCompletion): void;
  fail(line: number, customId: string, requestId: string | null, statusCode: number, error: ErrorBody["error"]): void;
  /** The request never ran. */
  skip(line: number, customId: string, error: { code: string; message: string }): void;
  /** Resolves when all answers so far are on disk. */
  drained(): Promise<void>;
  /** What was kept last; null before the batch was planned. */
  readonly parts: readonly RemotePart[] | null;
  /** Keeps the parts: they are on disk when this returns. */
  keepParts(parts: readonly RemotePart[]): void;
  /** The same for what may be lost with the process. */
  showParts(parts: readonly RemotePart[]): void;
  /** Says why nothing moves; null when it goes on. */
  wait(reason: string | null): void;
  /** Says what is no failure but worth knowing; null when it no longer holds. */
  notice(text: string | null): void;
}

/** The run of a batch at a service elsewhere. */
export interface RemoteRun {
  /** Resolves when every line of the parts that were sent has what came of it; rejects when our own disk fails. */
  readonly ended: Promise<void>;
  /** Sends no more parts, cancels those that run, and fetches what they answered. */
  stop(): void;
  /** Stops where it is, to go on after a restart. */
  abort(): void;
  /** Somebody looks at it: the service is asked more often for a while. */
  watch(): void;
}
