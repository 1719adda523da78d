import { join } from "node:path";
import type {
  BuildInput,
  CheckProgress,
  Draft,
  KeptTrial,
  PictureColumn,
  Preview,
  RequestTemplate,
  ReuseCount,
  SubmitProgress,
  TrialProgress,
} from "#contract";
import type { Clock, Ids, Logger, Machine } from "#main/base";
import type { JobPlanner } from "#main/connections";
import type { RequestRules } from "#main/requests";
import { connectionRules, createCheckRules, type ValidationReport } from "#main/requests";
import type { Service } from "#main/service";
import { followProgress, type Notices, type ScannedLine, scanLines, type WriteRules } from "#main/storage";
import { draftFromBatch } from "./batch-draft.ts";
import { type BatchSources, createBatchSources } from "./batch-sources.ts";
import type { BuildThread } from "./build-thread.ts";
import { createDraftStore, type DraftStore } from "./draft-store.ts";
import { BuildError } from "./errors.ts";
import { createInputWriter, type InputWriter, isSentAsItIs } from "./input-writer.ts";
import type { PassRules } from "./rendering/render-rows.ts";
import type { FindUsedColumns } from "./source-columns.ts";
import { createSourceStore, type SourceReader, type SourceStore } from "./sources/source-store.ts";
import { givesGeneratedFile, type StoredSource } from "./sources/stored-source.ts";
import { submit } from "./submit.ts";
import { readKeptTrials, runTrial, type TrialInput } from "./trial.ts";
import { createTrialStore } from "./trial-store.ts";

export interface BuildDeps {
  /** Where sources and drafts are stored. */
  readonly dataDir: string;
  readonly writeRules: WriteRules;
  /** Closed by its opener, after Build. */
  readonly thread: BuildThread;
  readonly service: Pick<
    Service,
    "files" | "batches" | "results" | "models" | "fileLimits" | "generatedFileLimits" | "validateFile"
  >;
  readonly clock: Clock;
  readonly machine: Machine;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Gets notices of tables that were moved to quarantine. */
  readonly notices: Pick<Notices, "add">;
  /** What a connection doesn't support in requests; null when it was removed. */
  readonly readRequestRules: (connectionId: string) => Promise<RequestRules | null>;
  /** Plans the parts in which a file is sent to a connection; null when it was removed. */
  readonly openPlanner: (connectionId: string) => Promise<JobPlanner | null>;
}

/** The main side of Build: sources, drafts, and what is made of them. */
export interface Build {
  readonly sources: Omit<SourceStore, "open" | "isUpload" | "findUnused" | "tidy" | "close">;
  /** The sources that neither a draft nor a batch uses, but for new ones; null while a damaged record may use any. */
  unusedSources(): Promise<readonly string[] | null>;
  readonly drafts: DraftStore;
  readonly input: InputWriter;
  readonly batchSources: Omit<BatchSources, "record" | "builtFrom">;
  /** A new draft of a batch: of what it was built from, or of the lines of its input file. */
  draftFromBatch(batchId: string, as: "copy" | "lines"): Promise<Draft>;
  /** Renders the batch input file, uploads it and creates the batch. Aborted before that, it leaves nothing behind. */
  submit(input: BuildInput & { name: string }, signal?: AbortSignal): AsyncGenerator<SubmitProgress>;
  /** Asks a few rows at once; stops asking when the caller does, or with the signal. */
  trial(input: TrialInput, signal?: AbortSignal): AsyncGenerator<TrialProgress>;
  /** The last trial of each version of a draft, the latest last. */
  trials(draftId: string): Promise<KeptTrial[]>;
  /** How many requests need not be asked. Fails like a submit. */
  countReusable(input: BuildInput, signal?: AbortSignal): Promise<ReuseCount>;
  preview(input: BuildInput, row: number): Promise<Preview>;
  /** The pictures that a column names. Reads only the first file. */
  pictures(
    query: { sourceId: string; column: string; pictureFolders: string[] },
    signal?: AbortSignal,
  ): Promise<PictureColumn>;
  trySchema(input: { schema: string; answer: string }): Promise<string[]>;
  /** Ends after the event `finished`; stops when the caller ends the iteration, or with the signal's reason. */
  check(input: BuildInput, signal?: AbortSignal): AsyncGenerator<CheckProgress>;
  close(): Promise<void>;
}

/** Opens Build on its data. Removes what was left unfinished and what is no longer used. */
export async function createBuild({
  dataDir,
  writeRules,
  thread: worker,
  service,
  clock,
  machine,
  ids,
  logger,
  notices,
  readRequestRules,
  openPlanner,
}: BuildDeps): Promise<Build> {
  const drafts = createDraftStore({
    folder: join(dataDir, "drafts"),
    writeRules,
    model: service.models.list()[0]?.id ?? "",
    clock,
    ids,
    notices,
  });
  const trialStore = createTrialStore({ folder: join(dataDir, "drafts"), writeRules, notices });
  const reader: SourceReader = {
    async *index(path, name, layout, signal) {
      yield* await worker.client().index({ path, name, layout }, { ...(signal && { signal }) });
    },
    head: (path, name) => worker.client().head({ path, name }),
    rows: (path, source, from, limit) => worker.client().rows({ path, source, from, limit }),
    countValues: (path, source, at) => worker.client().countValues({ path, source, at }),
    countReplaced: (path, source, replacements) =>
      worker.client().countReplaced({ path, source, replacements: [...replacements] }),
  };
  const sources = createSourceStore({
    folder: join(dataDir, "sources"),
    writeRules,
    quarantine: join(dataDir, "quarantine"),
    notices,
    reader,
    clock,
    ids,
  });
  const findUsedColumns: FindUsedColumns = (template, columns) =>
    worker.client().usedColumns({ template, columns: [...columns] });
  const batchSources = createBatchSources({
    notices,
    folder: join(dataDir, "origins"),
    writeRules,
    sources,
    readRows: reader.rows,
    results: service.results,
    findUsedColumns,
  });

  async function rulesFor({ connectionId }: RequestTemplate, source: StoredSource): Promise<PassRules> {
    if (connectionId !== null) return { rules: connectionRules, connection: await readRequestRules(connectionId) };
    const limits = givesGeneratedFile(source) ? service.generatedFileLimits : service.fileLimits;
    return { rules: createCheckRules(service.models, limits), connection: null };
  }

  async function* check(input: BuildInput, signal?: AbortSignal): AsyncGenerator<CheckProgress> {
    const { sourceId, template, rows, pictureFolders } = input;
    const { path, source } = await sources.open(sourceId);
    const rules = await rulesFor(template, source);
    if (isSentAsItIs(source, rows) && rules.connection === null) {
      yield* checkRequests(path, source, template.connectionId !== null, signal);
    } else {
      const pass = { path, source, template, rows, pictureFolders, ...rules };
      yield* await worker.client().check(pass, { ...(signal && { signal }) });
    }
  }

  /** Checks a file of requests with the service's check of a batch's file. */
  async function* checkRequests(path: string, source: StoredSource, isForConnection: boolean, signal?: AbortSignal) {
    const total = source.rowCount;
    const checked = yield* followProgress<CheckProgress, ValidationReport>(
      (report, ended) => {
        const onProgress = (bytes: number) => {
          const done = Math.min(total, Math.floor((bytes / source.bytes) * total));
          report({ ...nothingFound, done, total, requests: done, bytes });
        };
        const { generated: isGenerated } = source;
        return service.validateFile(path, { isForConnection, isGenerated, onProgress, signal: ended });
      },
      { machine, interval: progressInterval, signal },
    );
    const { bytes, errorCount, warningCount, faultyLines: faultyRows, groups, models } = checked;
    const tokens = await worker.client().sample({ path, source });
    yield {
      done: total,
      total,
      finished: true,
      requests: total,
      faultyRows,
      blocked: errorCount > 0,
      bytes,
      promptTokens: tokens.estimate,
      prompts: tokens.groups,
      tokensExact: tokens.isExact,
      errorCount,
      warningCount,
      groups: [...groups],
      models: [...models],
    };
  }

  async function countParts(connectionId: string, path: string, signal?: AbortSignal): Promise<number | null> {
    const planner = await openPlanner(connectionId);
    if (planner === null) return null;
    try {
      let line = 0;
      const add = ({ bytes }: ScannedLine) => planner.add(bytes?.toString() ?? "", ++line);
      if (planner.parts() !== null) await scanLines(path, add, { signal });
      return planner.parts()?.length ?? null;
    } finally {
      await planner.close();
    }
  }

  const trialDeps = { service, sources, findUsedColumns, logger, store: trialStore };

  /** Removes the trials of a draft with it; one that still runs stays hidden. */
  async function removeTrials(draftId: string): Promise<void> {
    const { batches } = service.batches.list({ limit: Number.POSITIVE_INFINITY, trials: true });
    for (const { id, link } of batches) {
      if (link?.kind !== "trial" || link.root !== draftId) continue;
      await service.batches.remove(id).catch((error: unknown) => {
        logger.warn("a trial can't be removed", { batch: id, error: String(error) });
      });
    }
  }

  /** The tables that drafts and batches read; null while a record that can't be read may use any. */
  async function sourcesInUse(): Promise<ReadonlySet<string> | null> {
    const ofDrafts = await drafts.sourcesInUse();
    const ofBatches = await batchSources.sourcesInUse(service.batches.isKept);
    return ofDrafts && ofBatches && new Set([...ofDrafts, ...ofBatches]);
  }

  const input = createInputWriter({ folder: join(dataDir, "rendered"), sources, worker, rulesFor, check });
  await input.tidy();
  await sources.tidy(await sourcesInUse());

  return {
    sources: {
      ...sources,
      begin(name) {
        // The file is read next: the thread starts while it is uploaded.
        worker.client();
        return sources.begin(name);
      },
      async remove(id) {
        if ((await drafts.sourcesInUse())?.has(id))
          throw new BuildError("conflict", "A draft uses this file. Remove the draft first.");
        // A batch shows the columns of its table as long as the batch exists.
        const used = await sourcesInUse();
        if (used === null ? sources.isUpload(id) : !used.has(id)) await sources.remove(id);
      },
    },
    async unusedSources() {
      const used = await sourcesInUse();
      return used && sources.findUnused(used);
    },
    drafts: {
      ...drafts,
      async remove(id) {
        const draft = await drafts.remove(id);
        await trialStore.remove(id);
        await removeTrials(id);
        const { sourceId } = draft ?? { sourceId: null };
        const used = await sourcesInUse();
        if (sourceId !== null && used !== null && !used.has(sourceId)) await sources.remove(sourceId);
        return draft;
      },
    },
    input,
    batchSources,
    draftFromBatch: (batchId, as) => draftFromBatch({ service, sources, drafts, batchSources }, batchId, as),
    submit: (batch, signal) => submit({ writer: input, service, sources, batchSources, logger }, batch, signal),
    async countReusable(wanted, signal) {
      const { connectionId } = wanted.template;
      if (connectionId === null) return nothingReusable;
      for await (const { file } of input.prepare(wanted, signal)) {
        if (file === null) continue;
        try {
          const { known: reusable, identical } = await service.batches.countKnown(connectionId, file.path, signal);
          return { reusable, identical, parts: await countParts(connectionId, file.path, signal) };
        } finally {
          await file.remove();
        }
      }
      return nothingReusable;
    },
    async preview({ sourceId, ...input }, row) {
      const { path, source } = await sources.open(sourceId);
      return worker.client().preview({ path, source, ...input, ...(await rulesFor(input.template, source)), row });
    },
    async pictures({ sourceId, ...query }, signal) {
      return worker.client().pictures({ ...(await sources.open(sourceId)), ...query }, { ...(signal && { signal }) });
    },
    trial: (trial, signal) => runTrial({ ...trialDeps, writer: input, clock }, trial, signal),
    trials: (draftId) => readKeptTrials(trialDeps, draftId),
    trySchema: (input) => worker.client().trySchema(input),
    check,
    async close() {
      await sources.close();
    },
  };
}

const nothingReusable: ReuseCount = { reusable: 0, identical: 0, parts: null };

/** Between two reports of progress, in milliseconds. */
const progressInterval = 100;

/** The progress of a check that has found nothing so far. */
const nothingFound = {
  finished: false,
  faultyRows: 0,
  blocked: false,
  promptTokens: 0,
  prompts: [],
  tokensExact: false,
  errorCount: 0,
  warningCount: 0,
  groups: [],
};
