import type { BuildInput, Draft, Source } from "#contract";
import { nameOf } from "#main/batches";
import type { Service } from "#main/service";
import type { BatchRecord } from "#main/storage";
import type { BatchSources } from "./batch-sources.ts";
import type { DraftStore } from "./draft-store.ts";
import { BuildError } from "./errors.ts";
import type { SourceStore } from "./sources/source-store.ts";
import { splitTemplate, toFileName } from "./submit.ts";

export interface BatchDraftDeps {
  readonly service: Pick<Service, "files" | "batches">;
  readonly sources: SourceStore;
  readonly drafts: DraftStore;
  readonly batchSources: Pick<BatchSources, "builtFrom">;
}

/**
 * A new draft of a batch: with the table, the prompt and the settings that it was built from (`copy`), or with its input file,
 * whose lines are sent as they are (`lines`). Where it is unknown what it was built from, `copy` does the latter.
 */
export async function draftFromBatch(
  { service, sources, drafts, batchSources }: BatchDraftDeps,
  batchId: string,
  as: "copy" | "lines",
): Promise<Draft> {
  const batch = service.batches.get(batchId);
  if (batch === undefined) throw new BuildError("not_found", "This batch is no longer there.");
  const built = as === "copy" ? await batchSources.builtFrom(batchId) : null;
  const source = await findSource(sources, built?.sourceId);
  const sourceId = source?.id ?? (await addInput(service, sources, batch)).id;
  const { link } = batch;
  const submitted = as === "copy" && link?.kind === "version" ? await batchSources.builtFrom(link.root) : built;
  const name = baseName(nameOf(batch, service).replace(/\.jsonl$/i, ""), submitted).slice(0, 200);
  const { updatedAt: _, ...draft } = await drafts.create(name, batch.connection);
  if (source === null || built === null) return drafts.save({ ...draft, sourceId });
  return drafts.save({ ...draft, sourceId, template: built.template, rows: built.rows ?? draft.rows });
}

/** The name that was submitted: with several batches, the version and the model are appended to it. */
function baseName(name: string, submitted: BuildInput | null): string {
  const suffixes = submitted === null ? [] : splitTemplate(submitted.template).map(({ suffix }) => suffix);
  const length = Math.max(0, ...suffixes.filter((suffix) => name.endsWith(suffix)).map((suffix) => suffix.length));
  return name.slice(0, name.length - length);
}

async function findSource(sources: SourceStore, id: string | undefined): Promise<Source | null> {
  if (id === undefined) return null;
  try {
    const source = await sources.get(id);
    // The lines of a file of requests may be edited: those of the batch are its own.
    return source.holds === "requests" ? null : source;
  } catch (error) {
    if (error instanceof BuildError) return null;
    throw error;
  }
}

/** The input file of a batch as a source of requests. */
async function addInput(service: BatchDraftDeps["service"], sources: SourceStore, batch: BatchRecord): Promise<Source> {
  const content = await service.files.read(batch.inputFileId);
  const { id } = await sources.begin(toFileName(nameOf(batch, service), ".jsonl"), batch.generatedInput);
  try {
    let offset = 0;
    for await (const chunk of content) offset = (await sources.append(id, offset, chunk)).bytes;
    for await (const progress of sources.finish(id)) if (progress.phase === "read") return progress.source;
    throw new BuildError("refused", "The input file of this batch can't be read.");
  } catch (error) {
    await sources.remove(id);
    throw error;
  }
}
