import type { DialectName, JudgeChoice } from "#contract";
import type { Clock, Engine, Ids, Logger, Machine } from "#main/base";
import type { Batches, Files, Retention } from "#main/batches";
import type { Faults, RealtimeGate, ScopedFaults, ScopedRules, StoredResponses } from "#main/engines";
import type { Verifier } from "#main/judging";
import type { CheckRules, FileLimits, ModelCatalog, Tier, ValidationReport } from "#main/requests";
import type { BatchCosts, Comparisons, DamageRecords, FindAnswerFields, Prices, Results, Tables } from "#main/results";
import type { Disk, DiskFailureCode, Durability, Notices } from "#main/storage";
import type { Grades, Verifications } from "#main/verifications";
import type { McpAccess } from "./mcp-access.ts";

/** What is not all well with a service. */
export type HealthCode = DiskFailureCode | "data_damaged";

/** The embedded service. It knows nothing of HTTP, RPC or Electron. */
export interface Service {
  readonly files: Files;
  readonly batches: Batches;
  readonly results: Results;
  readonly comparisons: Comparisons;
  readonly answerFields: FindAnswerFields;
  /** Where the tables are that batches were built from, so that lines can be filtered and sorted by their columns. */
  setTables(tables: Tables): void;
  /** What the answers of a batch cost, so that lines have a cost. */
  setPrices(prices: Prices): void;
  /** What the answers of batches cost, by these prices. */
  readonly costs: BatchCosts;
  /** Which answers are known to be damaged on disk. */
  readonly damage: Pick<DamageRecords, "count" | "compareAll" | "subscribe">;
  readonly verifications: Verifications;
  readonly grades: Grades;
  /** The judge that a choice asks for; the rules work in a thread of their own. Throws a ServiceError when it can't be had. */
  readonly verifierFor: (choice: JudgeChoice) => Verifier;
  readonly models: ModelCatalog;
  /** The newest answers of `/v1/responses`. */
  readonly responses: StoredResponses;
  readonly fileLimits: FileLimits;
  /** Of input files that the app makes, of a table or for a retry. */
  readonly generatedFileLimits: FileLimits;
  /** What holds the direct calls of a scope to the tier's limits; null where there are none. */
  createRealtimeGate(): RealtimeGate | null;
  readonly engine: Engine;
  /** Has another engine answer from now on; calls that are under way end with the one that they began with. */
  switchEngine(engine: Engine): void;
  /** What is asked before the engine, for each scope. */
  readonly rules: ScopedRules;
  /** Whose limits hold now. */
  readTier(): Tier;
  /** Limits of the tier hold from now on: for files that are checked, batches that begin, and direct calls. */
  setTier(tier: Tier): void;
  /** What is refused of requests besides what has no meaning. */
  readStrictness(): CheckRules["strictness"];
  /** How records look over HTTP. */
  readDialect(): DialectName;
  setDialect(dialect: DialectName): void;
  /** The faults to inject, for each scope; HTTP and batches follow them. */
  readonly scopedFaults: ScopedFaults;
  /** Those of the default scope. */
  readonly faults: Faults;
  /** Who may call the MCP endpoint. */
  readonly mcp: McpAccess;
  /** Removes what is older, or more, than is to be kept. */
  readonly retention: Retention;
  /** What was amiss with the data folder. */
  readonly notices: Notices;
  /** The user has seen what is damaged: the folder is tidied again. Rejects with a ServiceError while the disk refuses. */
  confirmDamage(): Promise<void>;
  /** True where nothing is kept beyond the end. */
  readonly isEphemeral: boolean;
  /** Why it is not all well: the disk does not take what is written, or something in the data folder is damaged. */
  readHealth(): readonly HealthCode[];
  readonly disk: Disk;
  /** How other files of the data folder are written. */
  readonly durability: Durability;
  readonly clock: Clock;
  readonly machine: Machine;
  readonly ids: Ids;
  readonly logger: Logger;
  /**
   * Checks a file on disk as a batch's input, in a worker. `onProgress` hears of bytes done, at most ten times a second. For
   * a batch elsewhere every name is a model, and a file of any size is taken. `isGenerated`: within the limits of a file that
   * the app made.
   */
  validateFile(
    path: string,
    options?: {
      onProgress?: (bytes: number, total: number) => void;
      signal?: AbortSignal;
      isForConnection?: boolean;
      isGenerated?: boolean;
    },
  ): Promise<ValidationReport>;
  /** Resolves when all that was recorded so far is on the disk itself. Rejects while the disk refuses. */
  sync(): Promise<void>;
  /**
   * Ends: nothing is asked any more, what is in flight (lines, the create of a batch elsewhere) is awaited for up to `grace`
   * milliseconds or until `cut` is aborted, all is on disk.
   */
  close(grace?: number, cut?: AbortSignal): Promise<void>;
}
