import { backOff, type Problem, type StickyStatus } from "#contract";
import { toPriceRecord } from "#main/base";
import { createRequestReader, sumTokens } from "#main/results";
import { openAnswerFiles } from "./answer-files.ts";
import type { AskerDeps, LineAsker, OpenedBatch } from "./ask-lines.ts";
import { checkForConnection, findLines, validateInputFile } from "./check-input.ts";
import { openHeldLines } from "./held-lines.ts";
import { findEnd, type Work } from "./reducer.ts";
import { restoreFiles } from "./result-file.ts";
import type { RunningBatch } from "./running-batch.ts";
import { skipReasons, skipWaiting } from "./skip-lines.ts";
import { isExpiring } from "./state.ts";

/** Between two attempts, in milliseconds; after a failure of the disk a batch is tried again soon after the disk works. */
const retryDelays = { first: 1_000, longest: 60_000 };
const diskDelays = { first: 1_000, longest: 4_000 };

/** The work of a batch, each kind with the event that ends it. What rejects is an attempt that failed. */
export interface BatchSteps extends Readonly<Record<Work, () => Promise<void>>> {
  stopCheck(): void;
  /** Gives up answers that are not on disk. */
  abandon(): Promise<void>;
  /** Closes the files of the batch as they are. */
  closeFiles(): Promise<void>;
  /** Resolves when nothing of it is written any more. */
  written(): Promise<void>;
}

export type StepDeps = Omit<AskerDeps, "schedulerOf" | "untilResumed">;

export function createSteps(parts: StepDeps, batch: RunningBatch, asker: LineAsker): BatchSteps {
  const { store, indexes, faults, clock, machine, logger, closing } = parts;
  const { id, state, record, dispatch } = batch;
  let check = new AbortController();
  let opened: OpenedBatch | null = null;
  /** While it is written down where its requests are. */
  let saving: Promise<void> = Promise.resolve();

  const perform = <T>(phase: string, task: (progress: () => void) => Promise<T>) =>
    clock.perform(`the ${phase} of ${id}`, task);

  /** Waits while the batch is to be stuck in the status; continues at once when the signal is aborted. */
  const mayLeave = (status: StickyStatus, signal: AbortSignal) => faults.released(status, signal).catch(() => {});

  async function findResult(signal: AbortSignal) {
    const stopped = { type: "check_stopped" } as const;
    const rejected = (problems: readonly Problem[]) => ({ type: "rejected", problems }) as const;
    const isOver = () => record().status !== "validating" || isExpiring(record());
    const input = await perform("validation", (progress) => validateInputFile(parts, record(), signal, progress));
    await mayLeave("validating", signal);
    if (isOver() || input === null) return stopped;
    if (input.problems === null && record().outcome === "failed") return rejected([askedToFail]);
    if (input.problems !== null) {
      markFaulty(record().inputFileId, input.problems);
      return rejected(input.problems);
    }
    const index = indexes.create(id, input.requests);
    const problems = await checkForConnection(parts, record(), { index, models: input.models }, signal);
    if (isOver()) return stopped;
    if (problems.length > 0) {
      indexes.forget(id);
      return rejected(problems);
    }
    const prices = await keepPrices(input.models);
    return { type: "checked", total: index.total, models: input.models, prices } as const;
  }

  /** Before its first request is sent its prices are stored: its cost follows them, whatever becomes of the connection. */
  async function keepPrices(models: readonly string[]): Promise<string | null> {
    const { connection, direct: isDirect, times } = record();
    if (connection === null) return null;
    const asked = { models, isDirect, day: new Date(times.created) };
    const found = await parts.connectionRuntime?.connections.describe(connection, asked);
    return await store.prices.keep(found?.prices ?? toPriceRecord([]));
  }

  /** Its content is at fault, not the disk that it could not be read from. */
  function markFaulty(fileId: string, problems: readonly Problem[]): void {
    if (problems.some(({ code }) => code === "file_unreadable")) return;
    const file = store.files.get(fileId);
    if (file !== undefined && !file.faulty) store.files.put({ ...file, faulty: true });
  }

  async function openFiles(): Promise<OpenedBatch> {
    await restoreFiles(parts, record());
    const found = await indexes.open(record());
    const { index, isScanned } = found;
    const reader = createRequestReader(store.pathOf(record().inputFileId), index);
    const answers = await openAnswerFiles(parts, id, found, (counts) => dispatch({ type: "answered", counts }));
    const held = await openHeldLines(store.heldOf(id), index, store.durability);
    return { index, reader, answers, held, isScanned };
  }

  function files(): OpenedBatch {
    if (opened === null) throw new Error(`The files of batch ${id} are closed.`);
    return opened;
  }

  async function end(progress: () => void): Promise<void> {
    const { index, reader, answers } = files();
    const how = findEnd(state());
    if (how === null) throw new Error("Some lines have no answer.");
    if (how === "completed") dispatch({ type: "all_answered" });
    else await skipWaiting(index, reader, answers, skipReasons[how], progress);
    await answers.finish();
    dispatch({ type: "written", usage: sumTokens(index.columns) });
  }

  async function closeFiles(): Promise<void> {
    const closed = opened;
    opened = null;
    const closing = await Promise.allSettled([closed?.answers.abandon(), closed?.held.close()]);
    for (const one of closing) {
      if (one.status === "fulfilled") continue;
      logger.warn("A file of a batch can't be closed", { batch: id, error: String(one.reason) });
    }
  }

  return {
    async checking() {
      check = new AbortController();
      dispatch(await findResult(check.signal));
      if (record().status === "in_progress") saving = indexes.save(record());
    },
    /** It ended before it was checked: what never ran is recorded all the same. */
    async counting() {
      const requests = await perform("end", () => findLines(store.pathOf(record().inputFileId)));
      dispatch({ type: "counted", total: indexes.create(id, requests).total });
    },
    async opening() {
      opened = await perform("start", openFiles);
      dispatch({ type: "opened", isWhole: opened.index.isWhole() });
    },
    async asking() {
      await asker.ask(files());
      dispatch({ type: "asked", isWhole: files().index.isWhole() });
    },
    ending: () => perform("closing", end),
    async held() {
      await mayLeave("cancelling", closing);
      dispatch({ type: "released" });
    },
    async pausing() {
      const { attempts, failure } = state();
      const retrying = clock.track(`another attempt at ${id}`);
      const delays = failure?.isOfDisk ? diskDelays : retryDelays;
      await machine.sleep(backOff(attempts - 1, delays), closing).catch(() => {});
      retrying.end();
      dispatch({ type: "paused" });
    },
    async leaving() {
      await closeFiles();
      dispatch({ type: "left" });
    },
    stopCheck: () => check.abort(),
    async abandon() {
      await opened?.answers.abandon();
    },
    closeFiles,
    written: () => saving,
  };
}

const askedToFail: Problem = {
  code: "injected_fault",
  message: "The batch fails, as its header x-sheaf-outcome asks for.",
  param: null,
  line: null,
  severity: "error",
};
