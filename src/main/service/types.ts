import type { Readable } from "node:stream";
import type {
  DocumentChoice,
  FilePurpose,
  Grade,
  GradeRun,
  Grader,
  JudgeChoice,
  LineGrade,
  LineVerdict,
  Problem,
  ProblemGroup,
  ResultDetail,
  ResultRow,
  VerificationRun,
  VerifyResult,
} from "#contract";
import type { Faults } from "./engines/index.ts";
import type { RealtimeGate } from "./limits/index.ts";
import type { McpAccess } from "./mcp/index.ts";
import type { Clock, Engine, Ids, Logger } from "./ports.ts";
import type { BatchRecord, FileRecord, Notices } from "./store/index.ts";
import type { Verifier } from "./verify/index.ts";

export type { BatchRecord, BatchTimes, FileRecord } from "./store/index.ts";

/** A model that requests may name. */
export interface Model {
  readonly id: string;
  readonly ownedBy: string;
  /** Other names under which requests may ask for it. */
  readonly aliases: readonly string[];
  /** True for the R1 model, whose limits differ (service-interface.md, Limits). */
  readonly reasoning: boolean;
}

export interface TokenLimits {
  /** Most tokens of prompt and answer together. */
  readonly context: number;
  /** Most tokens of an answer. */
  readonly output: number;
}

/** The models and the limits in force. */
export interface ModelCatalog {
  list(): readonly Model[];
  /** By id or alias. */
  find(name: string): Model | undefined;
  limits(model: Model): TokenLimits;
}

/** How large an input file may be. */
export interface FileLimits {
  readonly bytes: number;
  readonly requests: number;
}

/** What a check of a whole input file found. */
export interface ValidationReport {
  readonly requests: number;
  readonly bytes: number;
  /** All problems by line, bounded at 10,000 and one `too_many_problems` that counts the rest. */
  readonly problems: readonly Problem[];
  readonly errorCount: number;
  readonly warningCount: number;
  readonly groups: readonly ProblemGroup[];
  /** The most frequent first. */
  readonly models: readonly string[];
}

/** Bytes that are on disk but are no file yet: in a multipart body the purpose may come after the content. */
export interface PendingFile {
  readonly bytes: number;
  readonly sha256: string;
  /** `lifetime` is how long the file is kept, in milliseconds; for good unless told. */
  keep(about: { filename: string; purpose: FilePurpose; lifetime?: number | null }): Promise<FileRecord>;
  discard(): Promise<void>;
}

export interface Files {
  /** Streams the bytes to disk, hashed on the way. Fails with `file_too_large` at the limit, and keeps nothing then. */
  receive(content: AsyncIterable<Uint8Array>): Promise<PendingFile>;
  get(id: string): FileRecord | undefined;
  /** Newest first. */
  list(): readonly FileRecord[];
  /**
   * The content, `[start, end)` of it; what is on disk by now for a file that is still being written. Rejects with
   * `not_found` before the first byte when not all of it is on disk any more.
   */
  read(id: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Removes it, from disk too. Fails with `file_in_use` while a batch that has not ended reads or writes it. */
  remove(id: string): Promise<void>;
}

export interface CreateBatch {
  readonly inputFileId: string;
  readonly endpoint: string;
  readonly completionWindow: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface BatchProgress {
  readonly rate: number | null;
  readonly timeLeft: number | null;
  readonly throughput: readonly number[];
}

export interface Batches {
  /** Creates it in `validating`; it goes on by itself. Fails with a ServiceError (unknown file, wrong window …). */
  create(input: CreateBatch): Promise<BatchRecord>;
  get(id: string): BatchRecord | undefined;
  /** Newest first; `after` is a batch id (unknown: ServiceError). */
  list(page: { limit: number; after?: string }): { batches: readonly BatchRecord[]; hasMore: boolean };
  /** Fails with a 409 ServiceError when it has ended or is finalizing. */
  cancel(id: string): Promise<BatchRecord>;
  progress(id: string): BatchProgress;
  /** Calls the listener with every change, merged to at most ten a second for each batch. The answer stops it. */
  subscribe(listener: (batch: BatchRecord) => void): () => void;
  /** Resolves when the batch has reached a final status. */
  settled(id: string): Promise<BatchRecord>;
}

/** Lines with this verdict and this grade; any where none is named. */
export interface ResultFilter {
  readonly verdict?: LineVerdict | undefined;
  readonly grade?: Grade | undefined;
}

export interface Results {
  /** Of all lines, or of those that the filter keeps. */
  page(
    batchId: string,
    offset: number,
    limit: number,
    filter?: ResultFilter,
  ): Promise<{ total: number; rows: ResultRow[] }>;
  line(batchId: string, line: number): Promise<ResultDetail>;
  /** Several lines in full, in the order that is asked for. */
  lines(batchId: string, lines: readonly number[]): Promise<ResultDetail[]>;
  /**
   * The lines of output and error file in the order of the input, each with its line end. A line that has been verified
   * or graded has its verdict as `verification` and its grade as `grade`, too (docs/verify-batches.md).
   */
  exportLines(batchId: string): AsyncIterable<Uint8Array>;
}

/** Reads the cells of a column of the table that a batch was built from, those of line `from` and of all that follow. */
export type ReadColumn = (column: string, from: number) => AsyncIterable<readonly string[]>;

export interface StartVerification {
  readonly batchId: string;
  readonly choice: JudgeChoice;
  readonly document: DocumentChoice;
  readonly strict: boolean;
  /** Needed where the document is a column. */
  readonly readColumn?: ReadColumn;
}

/** Verifies the answers of whole batches, in the background. */
export interface Verifications {
  /** Null when the batch has never been verified. */
  get(batchId: string): Promise<VerificationRun | null>;
  /** Whether some of its requests have a system message; judged by the first hundred. */
  hasSystemMessages(batchId: string): Promise<boolean>;
  /** Starts over. Fails with a ServiceError when the batch has not ended, or is being verified. */
  start(what: StartVerification): Promise<VerificationRun>;
  /** Goes on where a run stopped; one that is running or done is left as it is. */
  resume(batchId: string, readColumn?: ReadColumn): Promise<VerificationRun>;
  /** What was being judged is given up; resolves when no more verdicts come. */
  cancel(batchId: string): Promise<VerificationRun>;
  /** Calls the listener with every change, merged to at most ten a second for each batch. The answer stops it. */
  subscribe(listener: (run: VerificationRun) => void): () => void;
  /** The whole result for one line; null when it has none. */
  line(batchId: string, line: number): Promise<VerifyResult | null>;
  /** Resolves when the batch is not being verified (any more). */
  settled(batchId: string): Promise<VerificationRun | null>;
}

export interface StartGrading {
  readonly batchId: string;
  readonly grader: Grader;
  /** The column with the expected answers; null for a grader that needs none. */
  readonly column: string | null;
  /** Needed where there is a column. */
  readonly readColumn?: ReadColumn;
}

/** Holds the answers of whole batches against the expected ones, in the background. */
export interface Grades {
  /** Null when the batch has never been graded. */
  get(batchId: string): Promise<GradeRun | null>;
  /** Whether some of its requests ask for JSON by a schema; judged by the first hundred. */
  hasSchemas(batchId: string): Promise<boolean>;
  /** Starts over. Fails with a ServiceError when the batch has not ended, or is being graded. */
  start(what: StartGrading): Promise<GradeRun>;
  /** Goes on where a run stopped; one that is running or done is left as it is. */
  resume(batchId: string, readColumn?: ReadColumn): Promise<GradeRun>;
  /** What was being graded is given up; resolves when no more grades come. */
  cancel(batchId: string): Promise<GradeRun>;
  /** Calls the listener with every change, merged to at most ten a second for each batch. The answer stops it. */
  subscribe(listener: (run: GradeRun) => void): () => void;
  /** Null for a line that has no grade. */
  line(batchId: string, line: number): Promise<LineGrade | null>;
  /** Resolves when the batch is not being graded (any more). */
  settled(batchId: string): Promise<GradeRun | null>;
}

/** The embedded service. It knows nothing of HTTP, RPC or Electron. */
export interface Service {
  readonly files: Files;
  readonly batches: Batches;
  readonly results: Results;
  readonly verifications: Verifications;
  readonly grades: Grades;
  /** The judge that a choice asks for; the rules work in a thread of their own. Throws a ServiceError when it can't be had. */
  readonly verifierFor: (choice: JudgeChoice) => Verifier;
  readonly models: ModelCatalog;
  readonly fileLimits: FileLimits;
  /** Holds direct calls to the tier's limits; null where there are none. */
  readonly realtimeGate: RealtimeGate | null;
  readonly engine: Engine;
  /** What is told to go wrong; HTTP and batches heed it. */
  readonly faults: Faults;
  /** Who may call the MCP endpoint. */
  readonly mcp: McpAccess;
  /** What was amiss with the data folder. */
  readonly notices: Notices;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Checks a file on disk as a batch's input, in a worker. `onProgress` hears of bytes done, at most ten times a second. */
  validateFile(
    path: string,
    options?: { onProgress?: (bytes: number, total: number) => void; signal?: AbortSignal },
  ): Promise<ValidationReport>;
  /** Ends: no line is started any more, those in flight are awaited up to `grace` milliseconds, all is on disk. */
  close(grace?: number): Promise<void>;
}
