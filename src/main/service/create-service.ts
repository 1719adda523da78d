import { findEntry } from "#app-paths";
import type { DialectName } from "#contract";
import type { Connections } from "#main/base";
import {
  type Clock,
  createLogger,
  createMemorySecretStore,
  createRandomIds,
  createSystemClock,
  createSystemMachine,
  defaultScope,
  type Engine,
  type Ids,
  type Logger,
  type Machine,
  type SecretStore,
} from "#main/base";
import {
  createFiles,
  type KeepLimits,
  restoreCounts,
  startBatches,
  startFileExpiry,
  startRetention,
} from "#main/batches";
import { createConnectionEngines } from "#main/connections";
import {
  connectionsOnly,
  createFaults,
  createFaultyEngine,
  createRealtimeGate,
  createScopedFaults,
  createScopedRules,
  createScriptedEngine,
  createStoredResponses,
  createSwitchableEngine,
  type RulesSource,
  realtimeLimits,
  type ScopedFaults,
} from "#main/engines";
import {
  connectionRules,
  createCheckRules,
  createFileChecker,
  createModelCatalog,
  createValidationThread,
  type FileLimits,
  longestInputLine,
  type Model,
  type Tier,
  type ValidationThread,
} from "#main/requests";
import {
  createAnswerFields,
  createBatchCosts,
  createColumns,
  createComparisons,
  createDamageRecords,
  createIndexCache,
  createMergedBatches,
  createResults,
  createSearches,
  createSearchThread,
  type Prices,
  type Tables,
} from "#main/results";
import type { DurabilityMode } from "#main/storage";
import { DataDirError, guardSecrets, openArchive, openStore, readStoredFolder, type StoredFolder } from "#main/storage";
import {
  createFindVerifier,
  createGradeFiles,
  createGrades,
  createJudgeThread,
  createVerdictFiles,
  createVerifications,
  type JudgeThread,
  type OpenQueue,
} from "#main/verifications";
import { createMcpAccess } from "./mcp-access.ts";
import type { HealthCode, Service } from "./service.ts";

/** How a service is set up. Its data goes to `dataDir`, or with `ephemeral` to memory and a temporary folder. */
export type ServiceOptions = ServiceSettings &
  (
    | {
        readonly dataDir: string;
        readonly ephemeral?: false;
        /** Registers uploads again whose journal is missing or empty, which stops the start otherwise. */
        readonly adopt?: boolean;
        /** When what is stored is brought to the disk itself; `second` by default. */
        readonly durability?: DurabilityMode | undefined;
      }
    /** Keeps nothing beyond `close`: a folder of its own is removed then. */
    | { readonly ephemeral: true; readonly dataDir?: never }
  );

interface ServiceSettings {
  /** None by default: all batches belong to connections then. */
  readonly engine?: Engine;
  /** Rules that are asked before the engine, until a scope sets others; none by default. */
  readonly rules?: RulesSource;
  /** Whose limits hold; `standard` by default. */
  readonly tier?: Tier;
  /** Whether the mock and rules answer what the compatible API would refuse, too; not by default. */
  readonly lenient?: boolean;
  /** How records look over HTTP; `service` by default. */
  readonly dialect?: DialectName;
  /** Whether direct calls are held to the tier's concurrency and requests per minute; they are by default. */
  readonly rateLimit?: boolean;
  /** In place of the built-in list. */
  readonly models?: readonly Model[];
  /** Whether any other name is a model, too; not by default. */
  readonly anyModel?: boolean;
  /** 200 MB, 50,000 requests and 16 MB for each by default (decisions.md, Validation errors). */
  readonly fileLimits?: Partial<FileLimits>;
  /** Of input files that the app makes: 4 GB and 1,000,000 requests by default, and never less than those of uploads. */
  readonly generatedFileLimits?: Partial<Omit<FileLimits, "lineBytes">>;
  /** How much of what has ended is kept; all by default. */
  readonly keep?: KeepLimits;
  /** What goes wrong on purpose; nothing by default. */
  readonly faults?: ScopedFaults;
  /** Where the MCP token is kept; in memory by default. */
  readonly secrets?: SecretStore;
  /** Where batches may be answered besides; none by default. */
  readonly connections?: Connections;
  /** Other data folders whose answers batches of connections may use again; they are read, also while another process works in them. */
  readonly archives?: () => Promise<readonly string[]>;
  /** Whether their batches are listed next to the own ones, to be read. */
  readonly listsArchives?: boolean;
  readonly clock?: Clock;
  /** The computer's by default. */
  readonly machine?: Machine;
  readonly ids?: Ids;
  readonly logger?: Logger;
  /** Checks the input files of several services; otherwise the service has a thread of its own, which ends with it. */
  readonly validation?: ValidationThread;
  /** The same for judging and grading. */
  readonly judge?: JudgeThread;
  /** The entry of the thread that searches; the program's own by default. */
  readonly searchWorker?: URL;
}

const defaultFileLimits: FileLimits = { bytes: 200_000_000, requests: 50_000, lineBytes: longestInputLine };
const defaultGeneratedLimits = { bytes: 4_000_000_000, requests: 1_000_000 };
const defaultGrace = 3_000;
const defaultSeed = 1;

/**
 * Opens the service on its data: batches that had not ended carry on. Rejects with a DataDirError when the folder is in
 * use by another process, can't be read, or has lost its journal.
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { machine = createSystemMachine(), faults = createScopedFaults(defaultSeed) } = options;
  const { clock = createSystemClock(machine), ids = createRandomIds(), logger = createLogger({ machine }) } = options;
  const switchable = createSwitchableEngine(options.engine ?? connectionsOnly);
  const rules = createScopedRules(options.rules);
  const engine = createScriptedEngine({ rules, engine: switchable, clock, ids });
  let tier = options.tier ?? "standard";
  let dialect = options.dialect ?? "service";
  const readTier = () => tier;
  const { secrets = createMemorySecretStore() } = options;
  const { anyModel = false } = options;
  const catalog = createModelCatalog(() => ({ tier, dialect }), options.models, { anyModel });
  const responses = createStoredResponses();
  const fileLimits = { ...defaultFileLimits, ...options.fileLimits };
  const generated = { ...defaultGeneratedLimits, ...options.generatedFileLimits };
  const generatedFileLimits = {
    bytes: Math.max(generated.bytes, fileLimits.bytes),
    requests: Math.max(generated.requests, fileLimits.requests),
    lineBytes: fileLimits.lineBytes,
  };

  const store = await openStore(options.dataDir === undefined ? { ephemeral: true } : options, { logger, machine });
  await restoreCounts(store);
  /** An engine elsewhere knows best what it takes. */
  const readStrictness = () => {
    if (options.lenient === true) return "lenient";
    return switchable.isMock === true ? "api" : "ranges";
  };
  const validationThread = options.validation ?? createValidationThread(findEntry("validation-worker"));
  const checker = createFileChecker(validationThread, (isGenerated, endpoint) =>
    createCheckRules(catalog, isGenerated ? generatedFileLimits : fileLimits, endpoint, readStrictness()),
  );
  const machineClock = createSystemClock(machine);
  const connectionRuntime = options.connections && {
    connections: options.connections,
    checker: createFileChecker(validationThread, () => connectionRules),
    faults: createFaults(defaultSeed),
    clock: machineClock,
  };
  const searchThread = createSearchThread(options.searchWorker ?? findEntry("search-worker"));
  const { archives = async () => [] } = options;
  const archive = options.listsArchives ? await openArchive(store, { listFolders: archives, machine, logger }) : null;
  /** What is read of batches is read of all that are listed. */
  const readable: StoredFolder = archive?.joined ?? store;
  const damage = createDamageRecords({ readable, store, openIndex: (batch) => indexes.get(batch) });
  const { durability } = store;
  const indexes = createIndexCache({ store: readable, own: store, durability, damage, machine, logger });
  const merged = createMergedBatches(readable, indexes);
  archive?.subscribe(({ id }) => indexes.forget(id));
  const judgeThread = options.judge ?? createJudgeThread(findEntry("judge-worker"));
  const expiry = startFileExpiry({ store, clock, logger });
  const files = createFiles({
    store,
    clock,
    ids,
    limits: fileLimits,
    generatedLimits: generatedFileLimits,
    completeLedger: indexes.get,
    onStored: expiry.watch,
  });
  const running = startBatches({
    store,
    checker,
    indexes,
    damage,
    merged,
    files,
    watchExpiry: expiry.watch,
    engine: createFaultyEngine(engine, faults, clock),
    connectionRuntime: connectionRuntime ?? null,
    archive,
    archives: async () => openArchives(await archives(), logger),
    faults,
    catalog,
    responses,
    forgetRuns: async (batchId) => {
      await Promise.all([verifying.forget(batchId), grading.forget(batchId)]);
    },
    tier: readTier,
    clock,
    machine,
    ids,
    logger,
  });

  const verdictFiles = createVerdictFiles(store);
  const gradeFiles = createGradeFiles(store);
  const searches = createSearches(searchThread, readable, machine);
  let tables: Tables | null = null;
  let prices: Prices | null = null;
  const columns = createColumns({ thread: searchThread, store: readable, readTables: () => tables, machine });
  const costs = createBatchCosts({ indexes, readPrices: () => prices, machine });
  const results = createResults({
    machine,
    searches,
    columns,
    costs,
    store: readable,
    indexes,
    damage,
    merged,
    verdicts: verdictFiles,
    grades: gradeFiles,
  });
  const engines = createConnectionEngines(options.connections, machineClock);
  const model = { engine, models: catalog, engineAt: engines.at, ids, clock: machineClock };
  const comparisons = createComparisons({
    store: readable,
    indexes,
    results,
    verdicts: verdictFiles,
    grades: gradeFiles,
  });
  const answerFields = createAnswerFields({ readable, store, results });
  const verifierFor = createFindVerifier(judgeThread, model);
  const openQueue: OpenQueue = async (connectionId) => {
    const target = connectionId === undefined ? undefined : await engines.open(connectionId);
    return (queue) => running.addQueue(queue, target);
  };
  const runParts = { store, indexes, results, thread: judgeThread, openQueue, machine, logger };
  const verifying = createVerifications({ ...runParts, files: verdictFiles, verifierFor });
  const grading = createGrades({ ...runParts, files: gradeFiles, model });

  const retention = startRetention({
    store,
    batches: running.batches,
    files,
    isBusy: (id) => verifying.isRunning(id) || grading.isRunning(id),
    machine,
    logger,
  });
  if (options.keep !== undefined) void retention.setLimits(options.keep);

  async function closeAll(grace: number, cut?: AbortSignal): Promise<void> {
    expiry.close();
    archive?.close();
    try {
      await retention.close();
      await Promise.all([verifying.close(), grading.close()]);
      await running.close(grace, cut);
      await damage.close();
      await indexes.close();
    } finally {
      if (options.validation === undefined) await validationThread.close();
      if (options.judge === undefined) await judgeThread.close();
      await searchThread.close();
      await engine.close?.();
      await store.close();
    }
  }
  let closing: Promise<void> | null = null;

  return {
    files,
    batches: running.batches,
    results,
    comparisons,
    answerFields,
    setTables(found) {
      tables = found;
    },
    setPrices(found) {
      prices = found;
    },
    costs,
    damage,
    verifications: verifying.verifications,
    grades: grading.grades,
    verifierFor,
    models: catalog,
    responses,
    fileLimits,
    generatedFileLimits,
    createRealtimeGate: () =>
      options.rateLimit === false ? null : createRealtimeGate(() => realtimeLimits[tier], clock),
    engine,
    switchEngine(next) {
      switchable.switchTo(next);
      running.noteEngine();
    },
    rules,
    readTier,
    setTier(next) {
      tier = next;
    },
    readStrictness,
    readDialect: () => dialect,
    setDialect(next) {
      dialect = next;
    },
    scopedFaults: faults,
    faults: faults.of(defaultScope),
    retention,
    notices: store.notices,
    confirmDamage: store.confirmDamage,
    isEphemeral: options.ephemeral === true,
    readHealth() {
      const codes: HealthCode[] = [];
      if (store.disk.failure !== null) codes.push(store.disk.failure.code);
      if (store.isDamaged.get()) codes.push("data_damaged");
      return codes;
    },
    disk: store.disk,
    durability: store.durability,
    mcp: createMcpAccess({ secrets: guardSecrets(secrets, store.durability), enabled: store.mcpEnabled }),
    clock,
    machine,
    ids,
    logger,
    async validateFile(path, { isForConnection = false, ...checkOptions } = {}) {
      const { report } = await (isForConnection && connectionRuntime ? connectionRuntime.checker : checker).check(
        path,
        checkOptions,
      );
      return report;
    },
    sync: () => store.synced(),
    close(grace = defaultGrace, cut) {
      closing ??= closeAll(grace, cut);
      return closing;
    },
  };
}

/** A folder that can't be read has nothing to use again. */
function openArchives(folders: readonly string[], logger: Logger): StoredFolder[] {
  return folders.flatMap((folder) => {
    try {
      return [readStoredFolder(folder, logger)];
    } catch (error) {
      if (!(error instanceof DataDirError)) throw error;
      logger.warn("The answers of another folder can't be used again", { folder, error: error.message });
      return [];
    }
  });
}
