import { type DocumentChoice, finalStatuses, type JudgeChoice, type VerificationRun } from "#contract";
import { createAnnouncer } from "../announcer.ts";
import { ServiceError } from "../errors.ts";
import type { Clock, Logger } from "../ports.ts";
import { shorten } from "../quote.ts";
import type { IndexCache, LineIndex } from "../results/index.ts";
import type { Store } from "../store/index.ts";
import type { BatchRecord, ReadColumn, Results, Verifications } from "../types.ts";
import type { BatchVerdicts, Verdicts } from "../verdicts/index.ts";
import { type AddLane, createModelJudging, createRulesJudging, type JudgeLines } from "./judge-lines.ts";
import type { JudgeThread } from "./judge-thread.ts";
import { hasAnswer, readInputs } from "./read-inputs.ts";
import { describeRun, type Run, startRun } from "./run.ts";
import { systemTextOf } from "./texts.ts";
import type { FindVerifier } from "./verifiers.ts";

export interface VerificationParts {
  readonly store: Store;
  readonly indexes: IndexCache;
  readonly results: Results;
  readonly verdicts: Verdicts;
  readonly thread: JudgeThread;
  readonly verifierFor: FindVerifier;
  readonly addLane: AddLane;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The verifications of batches, and the end of them. */
export interface RunningVerifications {
  readonly verifications: Verifications;
  /** Gives up what is being judged; what has been is on disk. */
  close(): Promise<void>;
}

/** Requests that are looked at for system messages. */
const sampleLines = 100;

export function createVerifications(parts: VerificationParts): RunningVerifications {
  const { store, indexes, results, verdicts, thread, verifierFor, addLane, clock, logger } = parts;
  const runs = new Map<string, Run>();
  /** Batches whose run is about to start. */
  const starting = new Set<string>();
  const announcer = createAnnouncer<VerificationRun>(clock, logger, ({ batchId, state }) => ({
    id: batchId,
    status: state,
    isOver: state !== "running",
  }));
  let closed = false;

  function find(id: string): BatchRecord {
    const batch = store.batches.get(id);
    if (batch === undefined) throw new ServiceError("not_found", `No such batch: ${shorten(id)}.`, "batch_id");
    return batch;
  }

  const isBusy = (batchId: string) => starting.has(batchId) || runs.get(batchId)?.isRunning === true;

  /** Nobody else starts or resumes the verification of a batch before this has. */
  async function claim<T>(batchId: string, task: () => Promise<T>): Promise<T> {
    if (closed) throw new ServiceError("internal_error", "The service is closing.");
    if (isBusy(batchId)) refuse("This batch is being verified. Cancel that first.");
    starting.add(batchId);
    try {
      return await task();
    } finally {
      starting.delete(batchId);
    }
  }

  function judgingFor(choice: JudgeChoice): JudgeLines {
    const verifier = verifierFor(choice);
    return verifier.judge === "rules" ? createRulesJudging(thread) : createModelJudging(verifier, addLane);
  }

  /** Fails when there is nothing that can be verified, or a file of the batch is gone. */
  async function openLines(batch: BatchRecord): Promise<LineIndex> {
    if (!finalStatuses.has(batch.status)) refuse("This batch still runs. Verify its answers when it has ended.");
    if (batch.counts.completed === 0) refuse("This batch has no answer.");
    await results.lines(batch.id, [1]);
    return indexes.get(batch);
  }

  function launch(batch: BatchRecord, found: BatchVerdicts, index: LineIndex, readColumn: ReadColumn | undefined) {
    const { choice, document, strict } = found.header;
    const readLines = (lines: readonly number[]) => results.lines(batch.id, lines);
    const unpin = verdicts.pin(batch.id);
    const tell = () => announcer.announce(describeRun(batch.id, found, runs.get(batch.id)));
    const run = startRun({
      batchId: batch.id,
      verdicts: found,
      inputs: readInputs({ index, verdicts: found.index, readLines, document, strict, readColumn }),
      judgeLines: judgingFor(choice),
      clock,
      logger,
      onChange: tell,
    });
    runs.set(batch.id, run);
    tell();
    void run.ended.then(() => {
      unpin();
      tell();
    });
    return describeRun(batch.id, found, run);
  }

  async function view(batchId: string): Promise<VerificationRun | null> {
    const found = await verdicts.get(find(batchId));
    return found === null ? null : describeRun(batchId, found, runs.get(batchId));
  }

  async function viewVerified(batchId: string): Promise<VerificationRun> {
    const found = await view(batchId);
    if (found === null) throw new ServiceError("not_found", "This batch has not been verified.", "batch_id");
    return found;
  }

  const verifications: Verifications = {
    get: view,
    async hasSystemMessages(batchId) {
      // Somebody is about to choose a judge: the thread of the rules starts meanwhile.
      thread.client();
      const count = Math.min(sampleLines, find(batchId).counts.total);
      const lines = await results.lines(
        batchId,
        Array.from({ length: count }, (_, at) => at + 1),
      );
      return lines.some(({ messages }) => systemTextOf(messages) !== null);
    },
    start: ({ batchId, choice, document, strict, readColumn }) =>
      claim(batchId, async () => {
        const batch = find(batchId);
        judgingFor(choice);
        refuseWithoutReader(document, readColumn);
        const index = await openLines(batch);
        const found = await verdicts.begin(batch, { version: 2, choice, document, strict, total: countAnswers(index) });
        return launch(batch, found, index, readColumn);
      }),
    async resume(batchId, readColumn) {
      const before = await viewVerified(batchId);
      if (before.state === "running" || before.state === "done") return before;
      return claim(batchId, async () => {
        const batch = find(batchId);
        refuseWithoutReader(before.document, readColumn);
        const index = await openLines(batch);
        const found = await verdicts.get(batch);
        return found === null ? before : launch(batch, found, index, readColumn);
      });
    },
    async cancel(batchId) {
      const run = runs.get(batchId);
      run?.stop();
      await run?.ended;
      return viewVerified(batchId);
    },
    subscribe: (listener) => announcer.subscribe(listener),
    async line(batchId, line) {
      const found = await verdicts.get(find(batchId));
      const [result = null] = (await found?.results([line])) ?? [];
      return result;
    },
    async settled(batchId) {
      await runs.get(batchId)?.ended;
      return view(batchId);
    },
  };

  return {
    verifications,
    async close() {
      closed = true;
      for (const run of runs.values()) run.stop();
      await Promise.all(Array.from(runs.values(), ({ ended }) => ended));
      announcer.close();
    },
  };
}

function refuse(message: string): never {
  throw new ServiceError("batch_not_verifiable", message);
}

function refuseWithoutReader(document: DocumentChoice, readColumn: ReadColumn | undefined): void {
  if (document.from === "column" && readColumn === undefined) {
    refuse("The table that this batch was built from is gone. Start over with another document.");
  }
}

function countAnswers(index: LineIndex): number {
  let count = 0;
  for (let line = 1; line <= index.total; line++) if (hasAnswer(index, line)) count += 1;
  return count;
}
