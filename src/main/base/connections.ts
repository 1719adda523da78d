import type { ErrorBody, Problem, UnlistedModel } from "#contract";
import type { JsonObject } from "./json-values.ts";
import type { Engine } from "./ports.ts";
import type { PricedModels, PriceRecord } from "./price-record.ts";
import type { RemotePart } from "./remote-part.ts";

/** Where batches go that are not answered by the service's own engine. Handed in: the service knows no server elsewhere. */
export interface Connections {
  /**
   * What answers the lines of a connection's batches; with `direct`, what calls them one by one. Null when the connection is
   * gone.
   */
  open(connectionId: string, direct: boolean): Promise<LineTarget | null>;
  /** How the requests of a connection are distinguished; null when it is gone. */
  identify(connectionId: string, endpoint: string): Promise<RequestIdentity | null>;
  /**
   * Those of the models that the connection's service does not have, with the nearest names, where its list is known to be complete;
   * none where it isn't, or can't be asked.
   */
  findMissingModels(
    connectionId: string,
    models: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly UnlistedModel[]>;
  /** Its name, and what models cost there now; null when it is gone. */
  describe(connectionId: string, models: PricedModels): Promise<{ name: string; prices: PriceRecord } | null>;
  /** Calls the listener with the id of each connection that was changed. The answer stops it. */
  subscribe(listener: (connectionId: string) => void): () => void;
}

/** Which requests of a connection are the same, whatever batch they are in. */
export interface RequestIdentity {
  /** One word for its address and its names of models. */
  readonly answeredAs: string;
  /** Of all that a request says and where it goes. The same for two requests whose answers can be exchanged. */
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
  /**
   * Reads once what a batch that has ended still awaits, and records it; the parts show what is left. Rejects with an error that
   * has a sentence for its user while the service can't answer, or with the signal's reason.
   */
  readLate(job: RemoteJob, signal: AbortSignal): Promise<void>;
}

/**
 * The batch that a driver takes to a service: its lines, and where their answers go. The first answer of a line counts, also
 * after an error; of errors the first one does, but for an awaited result.
 */
export interface RemoteJob {
  readonly batchId: string;
  readonly name: string;
  readonly total: number;
  /** The texts of lines of the input file, from 1, both included; null for one that is damaged on disk. */
  readLines(from: number, to: number): AsyncIterable<string | null>;
  /** Whether it has an outcome, or is to be given one without being asked. An awaited result is none. */
  isAnswered(line: number): boolean;
  /** Whether it has an answer, and not an error in its place. */
  hasAnswer(line: number): boolean;
  /** `completion` is stored as it is. */
  answer(line: number, customId: string, requestId: string | null, completion: JsonObject): void;
  /** `partial` is what came of the answer all the same. */
  fail(
    line: number,
    customId: string,
    requestId: string | null,
    statusCode: number,
    error: ErrorBody["error"],
    partial?: JsonObject,
  ): void;
  /** The request is damaged on disk, and has no answer: its id is not known. */
  failDamaged(line: number, wasSent: boolean): void;
  /** The request never ran. */
  skip(line: number, customId: string, error: { code: string; message: string }): void;
  /** Resolves when all answers so far are on disk. */
  drained(): Promise<void>;
  /** What was kept last; null before the batch was planned. */
  readonly parts: readonly RemotePart[] | null;
  /** Keeps the parts: they outlive this process when this returns. */
  keepParts(parts: readonly RemotePart[]): void;
  /** Resolves when they are on the disk itself, so that they outlive a power cut, too. Rejects while the disk refuses. */
  stored(): Promise<void>;
  /** The same for what may be lost with the process. */
  showParts(parts: readonly RemotePart[]): void;
  /** Sets why nothing moves; null when it moves again. */
  wait(reason: string | null): void;
  /** Sets what is no failure but worth knowing; null when it no longer holds. */
  notice(text: string | null): void;
  /** What other batches, and jobs of other data folders, have at services now. */
  others(): Promise<OtherRemoteBatches>;
}

export interface OtherRemoteBatches {
  /** The services' batches that are parts of theirs. */
  readonly batchIds: ReadonlySet<string>;
  /** Whether the create of one of their parts got no answer, and the result is not known yet. */
  readonly isUnsure: boolean;
}

/** The lines of a batch under way: to an engine, or at a service that has batches of its own. */
export interface BatchRun {
  /** Resolves when nothing is under way any more and all its results are on disk; rejects when our own disk fails. */
  readonly ended: Promise<void>;
  /** Stops, to be resumed later: lines that an engine has are finished, as is a create at a service, which keeps its batches. */
  suspend(): void;
  /** Sends nothing more, for good: lines that an engine has are finished; what a service has is cancelled and fetched. */
  cancel(): void;
  /** Ends at once: answers to lines that an engine still has are dropped, a service keeps its batches. */
  abort(reason: string): void;
}

export interface RemoteRun extends BatchRun {
  /** Called when someone looks at the batch: the service is asked more often for a while. */
  watch(): void;
  /** Takes the batch as it is: results that are not there yet are awaited after its end. Throws a ServiceError where nothing waits. */
  stopWaiting(): void;
  /** Settles a create whose result is not known. Rejects with a ServiceError where that can't be so. */
  settleCreate(choice: CreateChoice): Promise<void>;
}

/** What the user decides of an unsure create: that it is sent again, or which of the service's batches resulted from it. */
export type CreateChoice = { readonly kind: "send_again" } | { readonly kind: "use"; readonly batchId: string };
