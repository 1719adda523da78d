import { finalStatuses, type ResultDetail } from "#contract";
import type { Logger, Machine } from "#main/base";
import {
  createRateEstimate,
  createThrottledEmitter,
  quote,
  type RateEstimate,
  ServiceError,
  shorten,
} from "#main/base";
import type { IndexCache, LineIndex, ReadColumn, Results } from "#main/results";
import type { BatchRecord, Store } from "#main/storage";
import { describeKnownError } from "#main/storage";
import type { OutcomeIndex } from "./outcome-index.ts";
import type { RunFile, RunFiles } from "./run-file.ts";
import type { WorkTarget } from "./work.ts";

/** How far a run is, alike for every kind of run. */
export interface RunStatus {
  readonly batchId: string;
  readonly state: "running" | "stopped" | "done" | "failed";
  readonly done: number;
  /** Lines a second; null when not running. */
  readonly rate: number | null;
  /** Milliseconds. */
  readonly timeLeft: number | null;
  /** Why it failed; null otherwise. */
  readonly problem: string | null;
}

export interface WorkContext<Mark extends string> extends WorkTarget<Mark> {
  readonly index: LineIndex;
  /** What has come of the lines so far. */
  readonly outcomes: OutcomeIndex<Mark>;
  readonly readLines: (lines: readonly number[]) => Promise<readonly ResultDetail[]>;
}

/** Works through the lines that have no outcome. Answers with why some were left out; null where none was. */
export type Work<Mark extends string> = (context: WorkContext<Mark>) => Promise<string | null>;

/** What differs from one kind of run to the other. */
export interface RunKind<Header, Mark extends string, Result, View> {
  readonly files: RunFiles<Header, Mark, Result>;
  /** What is done with a batch: "verified". */
  readonly participle: string;
  /** How many lines of the batch have an outcome once it is done: later answers are more. */
  countLines(header: Header, batch: BatchRecord): number;
  /** Whether it costs nothing: what comes late is done without asking. */
  isByRules(header: Header): boolean;
  /** Throws a ServiceError when what the header asks for can't be had. */
  prepare(header: Header, readColumn: ReadColumn | undefined): Work<Mark>;
  describe(file: RunFile<Header, Mark, Result>, status: RunStatus, total: number): View;
}

export interface RunDeps {
  readonly store: Store;
  readonly indexes: IndexCache;
  readonly results: Results;
  readonly machine: Machine;
  readonly logger: Logger;
}

/** What a run over a batch begins with. */
export interface RunStart<Header> {
  readonly batchId: string;
  readonly createHeader: (index: LineIndex, batch: BatchRecord) => Header | Promise<Header>;
  readonly readColumn: ReadColumn | undefined;
}

/** Runs over whole batches, in the background: one of a batch at a time. */
export interface Runs<Header, Result, View> {
  /** Null when there has been no run of the batch. */
  get(batchId: string): Promise<View | null>;
  /** Starts over. Fails with a ServiceError when the batch has not ended, or has a run already. */
  start(start: RunStart<Header>): Promise<View>;
  /** Starts all of them over, or none when one can't be started. */
  startAll(starts: readonly RunStart<Header>[]): Promise<View[]>;
  /** Continues where a run stopped; one that is running or done is left as it is. */
  resume(batchId: string, readColumn: ReadColumn | undefined): Promise<View>;
  /** Continues a run by the rules that was done before so many answers came late. */
  judgeLate(batchId: string, lines: number, readColumn: ReadColumn | undefined): Promise<void>;
  /** Gives up what is in work; resolves when nothing more comes. */
  cancel(batchId: string): Promise<View>;
  subscribe(listener: (run: View) => void): () => void;
  /** Those that are under way. */
  listRunning(): View[];
  /** The first lines of the batch: enough to see what its requests have. */
  sample(batchId: string): Promise<ResultDetail[]>;
  /** The whole result for one line; null when it has none. */
  line(batchId: string, line: number): Promise<Result | null>;
  /** Resolves when the batch has no run (any more). */
  settled(batchId: string): Promise<View | null>;
  /** Whether the batch has a run that is under way or about to start. */
  isRunning(batchId: string): boolean;
  /** Gives up what is in work; what has come of the batch stays. */
  stop(batchId: string): Promise<void>;
  /** Gives up what is in work, and removes what has come of the batch. */
  forget(batchId: string): Promise<void>;
  /** Gives up all that is in work; what has come is on disk. */
  close(): Promise<void>;
}

const sampleLines = 100;

/** A run in this process: under way, or why it ended. */
interface Run<View> {
  isRunning: boolean;
  problem: string | null;
  readonly pace: RateEstimate;
  readonly settled: Promise<void>;
  readonly view: () => View;
  readonly stop: () => void;
}

export function createRuns<
  Header extends { readonly total: number },
  Mark extends string,
  Result,
  View extends { readonly batchId: string; readonly state: string },
>(kind: RunKind<Header, Mark, Result, View>, parts: RunDeps): Runs<Header, Result, View> {
  const { store, indexes, results, machine, logger } = parts;
  const { files, participle } = kind;
  type File = RunFile<Header, Mark, Result>;
  const runs = new Map<string, Run<View>>();
  /** Batches whose run is about to start. */
  const starting = new Set<string>();
  const changes = createThrottledEmitter<View>(machine, logger, ({ batchId, state }) => ({
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

  const isRunning = (id: string) => starting.has(id) || runs.get(id)?.isRunning === true;

  /** No one else starts or resumes a run of the batches before this has. */
  async function claim<T>(batchIds: readonly string[], task: () => Promise<T>): Promise<T> {
    if (closed) throw new ServiceError("service_closing", "Sheaf is closing. Start it, and try again.");
    if (batchIds.some(isRunning)) {
      throw refusal(`This batch is being ${participle}. Cancel that first.`);
    }
    for (const id of batchIds) starting.add(id);
    try {
      return await task();
    } finally {
      for (const id of batchIds) starting.delete(id);
    }
  }

  /** Fails when the batch has nothing to work on, or one of its files is gone. */
  async function openLines(batch: BatchRecord): Promise<LineIndex> {
    if (!finalStatuses.has(batch.status)) throw refusal("This batch still runs. Wait for its end.");
    if (batch.counts.completed === 0) throw refusal("This batch has no answer.");
    await results.lines(batch.id, [1]);
    return indexes.get(batch);
  }

  function toView(batch: BatchRecord, file: File): View {
    const batchId = batch.id;
    const run = runs.get(batchId);
    const { done } = file.index;
    const total = kind.countLines(file.header, store.batches.get(batchId) ?? batch);
    const status = { batchId, done, rate: null, timeLeft: null, problem: null };
    if (run?.isRunning) {
      const now = machine.monotonic();
      const rate = run.pace.rate(now);
      const timeLeft = run.pace.timeLeft(now, total - done);
      return kind.describe(file, { ...status, state: "running", rate, timeLeft }, total);
    }
    if (done >= total) return kind.describe(file, { ...status, state: "done" }, total);
    const problem = run?.problem ?? null;
    return kind.describe(file, { ...status, state: problem === null ? "stopped" : "failed", problem }, total);
  }

  /** Checks that the run can begin, and answers with what begins it: until then an earlier run of the batch stays. */
  async function prepare({ batchId, createHeader, readColumn }: RunStart<Header>): Promise<() => Promise<View>> {
    const batch = find(batchId);
    const index = await openLines(batch);
    const header = await createHeader(index, batch);
    const work = kind.prepare(header, readColumn);
    return async () => launch(batch, await files.begin(batch, header), index, work);
  }

  /** Of several batches, which one can't be started. */
  function nameProblem(batchId: string): (error: unknown) => never {
    return (error) => {
      if (!(error instanceof ServiceError)) throw error;
      const name = store.batches.get(batchId)?.metadata.name ?? batchId;
      throw new ServiceError(error.code, `${quote(name)}: ${error.message}`, error.param);
    };
  }

  function launch(batch: BatchRecord, file: File, index: LineIndex, work: Work<Mark>): View {
    const unpin = files.pin(batch.id);
    const announce = () => changes.emit(toView(batch, file));
    const stopping = new AbortController();
    const { signal } = stopping;
    const pace = createRateEstimate(machine.monotonic(), file.index.done);

    async function workAll(): Promise<void> {
      try {
        run.problem = await work({
          index,
          outcomes: file.index,
          readLines: (lines) => results.lines(batch.id, lines),
          signal,
          async record(outcomes, inFlight) {
            if (signal.aborted) return;
            // What a model was paid for is not to be asked again.
            await store.disk.retry(() => file.append(outcomes), { signal });
            pace.record(machine.monotonic(), file.index.done, inFlight);
            announce();
          },
        });
      } catch (error) {
        if (!signal.aborted) run.problem = describeFailure(error, batch.id);
      }
      stopping.abort();
      await file.close();
      run.isRunning = false;
      unpin();
      announce();
    }

    const { promise: settled, resolve } = Promise.withResolvers<void>();
    const run: Run<View> = {
      isRunning: true,
      problem: null,
      pace,
      settled,
      view: () => toView(batch, file),
      stop: () => stopping.abort(),
    };
    runs.set(batch.id, run);
    announce();
    resolve(workAll());
    return toView(batch, file);
  }

  /** What the user reads of a run that could not continue. */
  function describeFailure(error: unknown, batchId: string): string {
    const failure = store.disk.report(error);
    if (failure !== null) return `${failure.message} Resume it then.`;
    const known = describeKnownError(error);
    if (known !== null) return known.message;
    const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
    logger.error(`A batch could not be ${participle}`, { batch: batchId, error: details });
    return "It could not go on; the log says more. Resume to try again.";
  }

  async function get(batchId: string): Promise<View | null> {
    const batch = find(batchId);
    const file = await files.get(batch);
    return file === null ? null : toView(batch, file);
  }

  async function resume(batchId: string, readColumn: ReadColumn | undefined): Promise<View> {
    const before = await getExisting(batchId);
    if (before.state === "running" || before.state === "done") return before;
    return claim([batchId], async () => {
      const batch = find(batchId);
      const file = await files.get(batch);
      if (file === null) return before;
      const work = kind.prepare(file.header, readColumn);
      return launch(batch, file, await openLines(batch), work);
    });
  }

  async function getExisting(batchId: string): Promise<View> {
    const view = await get(batchId);
    if (view === null) throw new ServiceError("not_found", `This batch has not been ${participle}.`, "batch_id");
    return view;
  }

  async function stop(batchId: string): Promise<void> {
    const run = runs.get(batchId);
    run?.stop();
    await run?.settled;
  }

  return {
    get,
    start: (one) => claim([one.batchId], async () => (await prepare(one))()),
    startAll: (starts) =>
      claim(
        starts.map(({ batchId }) => batchId),
        async () => {
          const begins: (() => Promise<View>)[] = [];
          for (const one of starts) {
            const begin = prepare(one);
            begins.push(await (starts.length === 1 ? begin : begin.catch(nameProblem(one.batchId))));
          }
          return Promise.all(begins.map((begin) => begin()));
        },
      ),
    resume,
    async judgeLate(batchId, lines, readColumn) {
      const batch = find(batchId);
      const file = await files.get(batch);
      if (file === null || !kind.isByRules(file.header)) return;
      await runs.get(batchId)?.settled;
      if (closed) return;
      // Of a run that was stopped before, its user decides.
      if (file.index.done + lines >= kind.countLines(file.header, batch)) await resume(batchId, readColumn);
    },
    async cancel(batchId) {
      await stop(batchId);
      return getExisting(batchId);
    },
    subscribe: (listener) => changes.subscribe(listener),
    listRunning: () => Array.from(runs.values()).flatMap((run) => (run.isRunning ? [run.view()] : [])),
    async sample(batchId) {
      const count = Math.min(sampleLines, find(batchId).counts.total);
      return results.lines(
        batchId,
        Array.from({ length: count }, (_, at) => at + 1),
      );
    },
    async line(batchId, line) {
      const file = await files.get(find(batchId));
      const [result = null] = (await file?.results([line])) ?? [];
      return result;
    },
    async settled(batchId) {
      await runs.get(batchId)?.settled;
      return get(batchId);
    },
    isRunning,
    stop,
    async forget(batchId) {
      await stop(batchId);
      runs.delete(batchId);
      await files.remove(batchId);
    },
    async close() {
      closed = true;
      for (const run of runs.values()) run.stop();
      await Promise.all(Array.from(runs.values(), ({ settled }) => settled));
      changes.close();
    },
  };
}

/** Why there can't be a run now. */
export function refusal(message: string): ServiceError {
  return new ServiceError("batch_not_verifiable", message);
}
