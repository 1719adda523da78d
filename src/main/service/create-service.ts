import { findEntry } from "#app-paths";
import { mockServerDefaults } from "#contract";
import {
  createLogger,
  createMemorySecretStore,
  createRandomIds,
  createSystemClock,
  createSystemMachine,
} from "#main/base";
import { createFiles, restoreCounts, startBatches, startFileExpiry, startRetention } from "#main/batches";
import { createJudgeEngines } from "#main/connections";
import { createFaults, createSteeredEngine, createStoredResponses } from "#main/engines";
import {
  chooseFileLimits,
  connectionRules,
  createCheckRules,
  createFileChecker,
  createValidationThread,
  type FileCheckOptions,
  type ValidationReport,
} from "#main/requests";
import { createJudgeCostReader, createJudgeSpending, createSearchThread, openReading } from "#main/results";
import { type DiskFailureCode, guardSecrets, openArchive, openStore, readStoredFolders } from "#main/storage";
import { createJudgeThread, openRunFiles, openRuns } from "#main/verifications";
import { createMcpAccess } from "./mcp-access.ts";
import type { ServiceOptions } from "./options.ts";

/** The embedded service. It knows nothing of HTTP, RPC or Electron. */
export type Service = Awaited<ReturnType<typeof createService>>;

const defaultGrace = 3_000;

/**
 * Opens the service on its data: batches that had not ended continue. Rejects with a DataDirError when the folder is in
 * use by another process, can't be read, or has lost its journal. This is the one place where the rooms are put together.
 */
export async function createService(options: ServiceOptions) {
  const { machine = createSystemMachine() } = options;
  const { clock = createSystemClock(machine), ids = createRandomIds(), logger = createLogger({ machine }) } = options;
  const { secrets = createMemorySecretStore(), archives = async () => [] } = options;
  const steered = createSteeredEngine(options, { clock, ids });
  const { engine, models } = steered;
  const responses = createStoredResponses();
  const { fileLimits, generatedFileLimits } = chooseFileLimits(options);

  const shared = { clock, machine, ids, logger };
  const { onReading } = options;
  const store = await openStore(options.dataDir === undefined ? { ephemeral: true } : options, {
    ...shared,
    onReading,
  });
  await restoreCounts(store);
  const { disk, durability } = store;
  const validation = options.validation ?? createValidationThread(findEntry("validation-worker"));
  const checker = createFileChecker(validation, (isGenerated, endpoint) =>
    createCheckRules(models, isGenerated ? generatedFileLimits : fileLimits, endpoint, steered.readStrictness()),
  );
  const machineClock = createSystemClock(machine);
  const connectionRuntime = options.connections
    ? {
        connections: options.connections,
        checker: createFileChecker(validation, () => connectionRules),
        faults: createFaults(mockServerDefaults.seed),
        clock: machineClock,
      }
    : null;
  const archive = options.listsArchives ? await openArchive(store, { listFolders: archives, machine, logger }) : null;
  const runFiles = openRunFiles(store);
  const { searchWorker = findEntry("search-worker") } = options;
  const search = options.search ?? createSearchThread(searchWorker);
  const reading = openReading({ ...shared, ...runFiles, store, archive, thread: search });
  const { damage, indexes, merged, results } = reading;
  const expiry = startFileExpiry({ store, clock, logger });
  const files = createFiles({
    ...shared,
    store,
    limits: fileLimits,
    generatedLimits: generatedFileLimits,
    completeLedger: indexes.get,
    onStored: expiry.watch,
  });
  const running = startBatches({
    ...shared,
    store,
    checker,
    indexes,
    damage,
    merged,
    files,
    archive,
    responses,
    connectionRuntime,
    faults: steered.scopedFaults,
    watchExpiry: expiry.watch,
    engine: steered.faultyEngine,
    archives: async () => readStoredFolders(await archives(), logger),
    catalog: models,
    forgetRuns: (batchId) => runs.forget(batchId),
    stopRuns: (batchId) => runs.stop(batchId),
    judgeLate: async (batchId, lines) => runs.judgeLate(batchId, lines, await reading.columnReader(batchId)),
    tier: steered.readTier,
  });

  steered.onSwitch(running.noteEngine);
  const spending = createJudgeSpending({
    dir: store.dir,
    durability,
    prices: store.prices,
    describeConnection: options.connections?.describe,
    machine,
    logger,
  });
  const { connections } = options;
  const judgeCosts = createJudgeCostReader({
    dir: store.dir,
    durability,
    prices: { keep: store.prices.keep, read: (id) => store.pricesOf("", id) },
    today:
      connections === undefined
        ? null
        : {
            find: async (id, models) => (await connections.describe(id, models))?.prices ?? null,
            subscribe: connections.subscribe,
          },
    machine,
  });
  const engines = createJudgeEngines(options.connections, machineClock, spending.note);
  const judge = options.judge ?? createJudgeThread(findEntry("judge-worker"));
  const runs = openRuns({
    ...shared,
    store,
    indexes,
    results,
    files: runFiles,
    thread: judge,
    model: { engine, models, engineAt: engines.at, ids, clock: machineClock },
    async openQueue(connectionId) {
      const target = connectionId === undefined ? undefined : await engines.open(connectionId);
      return (queue) => running.addQueue(queue, target);
    },
  });
  const retention = startRetention({ ...shared, store, batches: running.batches, files, isBusy: runs.isRunning });
  if (options.keep !== undefined) void retention.setLimits(options.keep);

  async function closeAll(grace: number, cut?: AbortSignal): Promise<void> {
    expiry.close();
    archive?.close();
    try {
      await retention.close();
      await runs.close();
      await spending.close();
      await judgeCosts.close();
      await running.close(grace, cut);
      await reading.close();
    } finally {
      if (options.validation === undefined) await validation.close();
      if (options.judge === undefined) await judge.close();
      if (options.search === undefined) await search.close();
      await engine.close?.();
      await store.close();
    }
  }
  let closing: Promise<void> | null = null;

  return {
    ...shared,
    ...steered,
    files,
    batches: running.batches,
    results,
    comparisons: reading.comparisons,
    answerFields: reading.answerFields,
    setTables: reading.setTables,
    setPrices: reading.setPrices,
    costs: reading.costs,
    /** What models that judge cost in a month, by day, connection and model. */
    readJudgeCosts: judgeCosts.read,
    /** Which answers are known to be damaged on disk. */
    damage,
    verifications: runs.verifications,
    grades: runs.grades,
    verifierFor: runs.verifierFor,
    /** The newest answers of `/v1/responses`. */
    responses,
    fileLimits,
    /** Of input files that the app makes, of a table or for a retry. */
    generatedFileLimits,
    /** Removes what is older, or more, than is to be kept. */
    retention,
    /** What was amiss with the data folder. */
    notices: store.notices,
    /** The user has seen what is damaged: the folder is tidied again. Rejects with a ServiceError while the disk refuses. */
    confirmDamage: store.confirmDamage,
    /** True where nothing is kept beyond the end. */
    isEphemeral: options.ephemeral === true,
    /** Why it is not all well: the disk does not take what is written, or something in the data folder is damaged. */
    readHealth(): readonly (DiskFailureCode | "data_damaged")[] {
      const failure = disk.failure === null ? [] : [disk.failure.code];
      const isNoticed = store.notices.list().some(({ code }) => code === "file_set_aside" || code === "record_damaged");
      return store.isDamaged.get() || isNoticed ? [...failure, "data_damaged"] : failure;
    },
    disk,
    /** How other files of the data folder are written. */
    durability,
    /** Who may call the MCP endpoint. */
    mcp: createMcpAccess({ secrets: guardSecrets(secrets, durability), enabled: store.mcpEnabled }),
    /**
     * Checks a file on disk as a batch's input, in a worker. `onProgress` hears of bytes done, at most ten times a second. For
     * a batch elsewhere every name is a model, and a file of any size is taken. `isGenerated`: within the limits of a file that
     * the app made.
     */
    async validateFile(
      path: string,
      { isForConnection = false, ...checkOptions }: FileCheckOptions & { isForConnection?: boolean } = {},
    ): Promise<ValidationReport> {
      const chosen = isForConnection && connectionRuntime !== null ? connectionRuntime.checker : checker;
      return (await chosen.check(path, checkOptions)).report;
    },
    /** Resolves when all that was recorded so far is on the disk itself. Rejects while the disk refuses. */
    sync: () => store.synced(),
    /**
     * Ends: nothing is asked any more, what is in flight (lines, the create of a batch elsewhere) is awaited for up to `grace`
     * milliseconds or until `cut` is aborted, all is on disk.
     */
    close(grace = defaultGrace, cut?: AbortSignal): Promise<void> {
      closing ??= closeAll(grace, cut);
      return closing;
    },
  };
}
