import { join } from "node:path";
import type { BuildInput, CheckProgress, Preview, SubmitProgress } from "#contract";
import { type Clock, createCheckRules, type Ids, type Logger } from "#service";
import type { BatchApi } from "../connections/index.ts";
import { checkRequests } from "./check-requests.ts";
import { createDraftStore, type DraftStore } from "./drafts/index.ts";
import { BuildError } from "./errors.ts";
import { createInputWriter, type InputWriter } from "./input-writer.ts";
import { createOrigins, type Origins } from "./origins/index.ts";
import { createSourceStore, type SourceReader, type SourceStore } from "./sources/index.ts";
import { submit } from "./submit.ts";
import { createBuildWorker } from "./worker/index.ts";

export interface BuildParts {
  /** Where sources and drafts are kept. */
  readonly dataDir: string;
  /** The entry of Build's worker thread: `worker/worker.ts`, or where a bundle has it. */
  readonly workerUrl: URL;
  readonly api: BatchApi;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** What Build does on the main side: sources, drafts, and what is made of them. */
export interface Build {
  readonly sources: Omit<SourceStore, "open" | "tidy" | "close">;
  readonly drafts: DraftStore;
  readonly input: InputWriter;
  readonly origins: Omit<Origins, "remember" | "tidy">;
  /** Renders the batch input file, uploads it and creates the batch. Given up before that, it leaves nothing behind. */
  submit(input: BuildInput & { name: string }, signal?: AbortSignal): AsyncGenerator<SubmitProgress>;
  preview(input: BuildInput, row: number): Promise<Preview>;
  /** Ends after the event that says `finished`; stops when the caller stops asking, or with the signal's reason. */
  check(input: BuildInput, signal?: AbortSignal): AsyncGenerator<CheckProgress>;
  close(): Promise<void>;
}

/** Opens Build on its data. What was left unfinished, and what nothing uses any more, is cleared away. */
export async function createBuild({ dataDir, workerUrl, api, clock, ids, logger }: BuildParts): Promise<Build> {
  const worker = createBuildWorker(workerUrl, logger);
  const drafts = createDraftStore({
    folder: join(dataDir, "drafts"),
    model: api.models.list()[0]?.id ?? "",
    clock,
    ids,
    logger,
  });
  const reader: SourceReader = {
    index: (path, name, signal) => worker.relay(worker.client().index({ path, name }, { ...(signal && { signal }) })),
    reindex: (path, csv) => worker.client().reindex({ path, csv }),
    rows: (path, source, from, limit) => worker.client().rows({ path, source, from, limit }),
  };
  const sources = createSourceStore({
    folder: join(dataDir, "sources"),
    reader,
    clock,
    ids,
  });
  const origins = createOrigins({ folder: join(dataDir, "origins"), sources, readRows: reader.rows });

  async function usedSources(): Promise<ReadonlySet<string>> {
    return new Set((await drafts.list()).flatMap(({ sourceId }) => (sourceId === null ? [] : [sourceId])));
  }

  const rules = () => createCheckRules(api.models, api.fileLimits);

  async function* check({ sourceId, recipe }: BuildInput, signal?: AbortSignal): AsyncGenerator<CheckProgress> {
    const { path, source } = await sources.open(sourceId);
    if (source.holds === "requests") {
      const countTokens = () => worker.client().sample({ path, source });
      yield* checkRequests({ path, source, validateFile: api.validateFile, countTokens, signal });
    } else {
      yield* worker.relay(
        worker.client().check({ path, source, recipe, rules: rules() }, { ...(signal && { signal }) }),
      );
    }
  }

  const input = createInputWriter({ folder: join(dataDir, "rendered"), sources, worker, rules, check });
  await input.tidy();
  await sources.tidy(await usedSources());
  await origins.tidy((batchId) => api.batches.get(batchId) !== undefined);

  return {
    sources: {
      ...sources,
      begin(name) {
        // Reading follows at once: the thread starts while the bytes come in.
        worker.client();
        return sources.begin(name);
      },
      async remove(id) {
        if ((await usedSources()).has(id))
          throw new BuildError("conflict", "A draft uses this file. Remove the draft first.");
        await sources.remove(id);
      },
    },
    drafts: {
      ...drafts,
      async remove(id) {
        const draft = await drafts.remove(id);
        const { sourceId } = draft ?? { sourceId: null };
        if (sourceId !== null && !(await usedSources()).has(sourceId)) await sources.remove(sourceId);
        return draft;
      },
    },
    input,
    origins,
    submit: (batch, signal) => submit({ writer: input, api, sources, origins, logger }, batch, signal),
    async preview({ sourceId, recipe }, row) {
      return worker.client().preview({ ...(await sources.open(sourceId)), recipe, rules: rules(), row });
    },
    check,
    async close() {
      await sources.close();
      await worker.close();
    },
  };
}
