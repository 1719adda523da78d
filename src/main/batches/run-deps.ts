import type { Faults } from "#main/engines";
import type { LineIndex, RequestReader } from "#main/results";
import type { AnswerFiles } from "./answer-files.ts";
import type { BatchDeps } from "./deps.ts";
import type { HeldLines } from "./held-lines.ts";
import type { LineTries } from "./line-retries.ts";
import type { RunCell } from "./run-state.ts";
import type { Scheduler } from "./scheduler.ts";

/** What the lines of a batch are sent to an engine with. */
export interface RunDeps
  extends Pick<BatchDeps, "engine" | "catalog" | "responses" | "clock" | "machine" | "ids" | "logger"> {
  readonly faults: Pick<Faults, "expires">;
  readonly batchId: string;
  /** Where its requests go. */
  readonly endpoint: string;
  readonly scope: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Its share of the engine next to other batches. */
  readonly weight: number;
  /** A line that counts as answered is not asked. */
  readonly index: Pick<LineIndex, "total" | "isAnswered" | "hasAnswer" | "answer">;
  readonly reader: Pick<RequestReader, "peek" | "load" | "isSound">;
  readonly answers: Pick<AnswerFiles, "append" | "queuedBytes" | "drained">;
  /** Neither are these. While none of the batch's answers could be read, one more line is sent at a time. */
  readonly held: Pick<HeldLines, "size" | "has" | "add">;
  readonly store: Pick<BatchDeps["store"], "disk">;
  /** After how many lines it stops; null for after the last. */
  readonly stopAfter: number | null;
  readonly scheduler: Scheduler;
  readonly run: RunCell;
  /** Called with the reason when the engine's server can't answer, and with null when it does again. */
  readonly onWaiting: (reason: string | null) => void;
  /** How often lines were sent in vain before, and called when that has changed. */
  readonly triesBefore: readonly LineTries[];
  readonly onTries: (tries: readonly LineTries[]) => void;
  /** Called with what its user should know of the answers and is no failure. */
  readonly onNotice: (text: string) => void;
}
