import type { BatchLink, RequestedOutcome } from "#contract";
import type { Clock, Connections, Engine, Ids, Logger, Machine } from "#main/base";
import type { Faults, ScopedFaults, StoredResponses } from "#main/engines";
import type { FileChecker, ModelCatalog, Tier } from "#main/requests";
import type { DamageRecords, IndexCache, MergedBatches } from "#main/results";
import type { Archive, FileRecord, OtherFolder, Store } from "#main/storage";
import type { Files } from "./files/files.ts";
import type { Owner } from "./owner.ts";

/** What batches are made to run with. */
export interface BatchDeps {
  readonly store: Store;
  readonly checker: FileChecker;
  readonly indexes: IndexCache;
  readonly damage: Pick<DamageRecords, "compareAll">;
  readonly merged: MergedBatches;
  readonly files: Pick<Files, "isSound" | "receive" | "remove">;
  /** Removes a file when its time has come. */
  readonly watchExpiry: (file: FileRecord) => void;
  readonly engine: Engine;
  /** For batches of connections; null in a service that has none. */
  readonly connectionRuntime: ConnectionRuntime | null;
  /** Batches of other data folders that are listed beside the own ones, to be read; null where none are. */
  readonly archive: Archive | null;
  /** Other data folders whose answers may be used again. */
  readonly archives: () => Promise<readonly OtherFolder[]>;
  readonly faults: ScopedFaults;
  readonly catalog: ModelCatalog;
  /** Lines for `/v1/responses` can go on from earlier ones. */
  readonly responses: StoredResponses;
  /** Ends and removes what was made from the lines of a batch that is removed: verdicts and grades. */
  readonly forgetRuns: (batchId: string) => Promise<void>;
  /** Ends verifying and grading a batch. What has come of it stays, and can be resumed. */
  readonly stopRuns: (batchId: string) => Promise<void>;
  /** Has the rules judge what came late of a batch, where they have judged the rest of it. */
  readonly judgeLate: (batchId: string, lines: number) => Promise<void>;
  /** Decides the priority of batches that don't ask for one. */
  readonly tier: () => Tier;
  readonly clock: Clock;
  readonly machine: Machine;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** What is different for the batches of connections: real time, any model, and nothing that fails on purpose. */
export interface ConnectionRuntime extends Pick<BatchDeps, "checker" | "clock"> {
  readonly faults: Faults;
  readonly connections: Connections;
}

/** What a batch is made from. */
export interface CreateBatch {
  readonly inputFileId: string;
  /** Whether a file that the app made may be larger than an upload; it may not by default. */
  readonly allowsGenerated?: boolean;
  readonly endpoint: string;
  readonly completionWindow: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Where its lines are answered; the service's own engine by default. */
  readonly connection?: string | null;
  /** Whether its lines are called one by one, also where the connection's service has batches. */
  readonly direct?: boolean;
  /** Whether it takes answers that the same requests have in other batches of the connection; it doesn't by default. */
  readonly reuse?: boolean;
  /** Whether requests that are the same are asked once, at a connection; they are not by default. */
  readonly onceIdentical?: boolean;
  /** How it is to end; as it comes by default. */
  readonly outcome?: RequestedOutcome | null;
  /** How long its output and error files are kept, in milliseconds; for good by default. */
  readonly outputLifetime?: number | null;
  /** The batch that it belongs to; none by default. */
  readonly link?: BatchLink | null;
  /** Whose client made it; then its input file is looked for among that client's own. The default owner's otherwise. */
  readonly owner?: Owner;
  /** How many requests the file has, where that is known before it is checked. */
  readonly total?: number;
  /** What its user should know of it; nothing by default. */
  readonly notice?: string | null;
}
