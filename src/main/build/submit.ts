import {
  type BatchLink,
  type BuildInput,
  batchEndpoint,
  completionWindow,
  type RequestTemplate,
  type SubmitProgress,
} from "#contract";
import type { Logger } from "#main/base";
import type { Service } from "#main/service";
import { describeKnownError, readBytes } from "#main/storage";
import type { BatchSources } from "./batch-sources.ts";
import { BuildError } from "./errors.ts";
import type { InputWriter, PreparedFile } from "./input-writer.ts";
import type { SourceStore } from "./sources/source-store.ts";
import { givesGeneratedFile, type StoredSource } from "./sources/stored-source.ts";

/** A name as the name of a file: without what file systems don't take, and the ending of a batch file that named it. */
export function toFileName(name: string, extension: string): string {
  const safe = name
    .replace(/\.jsonl$/i, "")
    .replaceAll(/[\p{Cc}\s<>:"/\\|?*]+/gu, " ")
    .trim()
    .slice(0, 100);
  return `${safe || "batch"}${extension}`;
}

export interface SubmitDeps {
  readonly writer: Pick<InputWriter, "prepare">;
  readonly service: Pick<Service, "files" | "batches">;
  readonly sources: Pick<SourceStore, "open">;
  readonly batchSources: Pick<BatchSources, "record">;
  readonly logger: Logger;
}

/**
 * Renders the batch input file, uploads it and creates the batch; for several versions of the prompt or models one of each,
 * linked to the first. Aborted before all files are uploaded, it leaves nothing behind: no batch runs that the next submit
 * would pay for again. Where one can't be created when others run, the error names those.
 */
export async function* submit(
  parts: SubmitDeps,
  { name, ...input }: BuildInput & { name: string },
  signal?: AbortSignal,
): AsyncGenerator<SubmitProgress> {
  const { source } = await parts.sources.open(input.sourceId);
  const split = source.holds === "rows" ? splitTemplate(input.template) : [{ template: input.template, suffix: "" }];
  const jobs = split.map(({ template, suffix }) => ({ name: `${name}${suffix}`, version: { ...input, template } }));
  const prepared: ((typeof jobs)[number] & { readonly file: PreparedFile })[] = [];
  const uploaded: ((typeof prepared)[number] & { readonly inputFileId: string })[] = [];
  const created: string[] = [];
  try {
    for (const [at, job] of jobs.entries()) {
      for await (const { done, total, file } of parts.writer.prepare(job.version, signal)) {
        if (file === null) yield { phase: "rendering", done: at * total + done, total: jobs.length * total };
        else prepared.push({ ...job, file });
      }
    }
    const connection = input.template.connectionId;
    for (const job of prepared) {
      signal?.throwIfAborted();
      const upload = await parts.service.files.receive(readBytes(job.file.path), {
        connection,
        isGenerated: givesGeneratedFile(source),
      });
      const { id } = await upload.store({ filename: toFileName(job.name, ".jsonl"), purpose: "batch" });
      uploaded.push({ ...job, inputFileId: id });
    }
    signal?.throwIfAborted();
    for (const job of uploaded) {
      const [root] = created;
      const about =
        root === undefined
          ? { built: input, link: null }
          : { built: job.version, link: { kind: "version", root } as const };
      try {
        created.push(await createBatch(parts, source, { ...job, ...about }));
      } catch (error) {
        if (root === undefined) throw error;
        parts.logger.error("some of the batches of a draft can't be created", { root, error: String(error) });
        throw describePartial(
          jobs.map((one) => one.name),
          created.length,
          error,
        );
      }
    }
    const [batchId = "", ...versions] = created;
    yield { phase: "submitted", batchId, ...(versions.length > 0 && { versions }) };
  } finally {
    for (const { file } of prepared) await file.remove();
    for (const { inputFileId } of uploaded.slice(created.length)) await parts.service.files.remove(inputFileId);
  }
}

/** Some batches run when the next can't be created: a second submit would pay for them again. */
function describePartial(names: readonly string[], created: number, error: unknown): BuildError {
  const list = (some: readonly string[]) => some.map((name) => `“${name}”`).join(", ");
  const [running, missing] = [list(names.slice(0, created)), list(names.slice(created))];
  const reason = describeKnownError(error)?.message ?? "See the log for the reason.";
  const next = "Before you submit again, remove the submitted rows from the draft. Otherwise they are sent twice.";
  return new BuildError("refused", `Submitted: ${running}. Not submitted: ${missing}. ${reason} ${next}`);
}

/** A template for each version and model, with the suffix that distinguishes the name of its batch. */
export function splitTemplate({ otherVersions = [], otherModels = [], ...first }: RequestTemplate) {
  const ofFirst = { answerFormat: undefined, further: undefined };
  const versions = [first, ...otherVersions.map((other) => ({ ...first, ...ofFirst, ...other }))];
  const models = [...new Set([first.model, ...otherModels])];
  return versions.flatMap((template) =>
    models.map((model) => {
      const told = [versions.length > 1 ? template.version : null, models.length > 1 ? nameModel(model, models) : null];
      return { template: { ...template, model }, suffix: told.map((word) => (word ? `, ${word}` : "")).join("") };
    }),
  );
}

/** The last part of a model's id, where that identifies it: `meta-llama/Llama-3.3-70B` is `Llama-3.3-70B`. */
function nameModel(model: string, models: readonly string[]): string {
  const last = (id: string) => id.slice(id.lastIndexOf("/") + 1);
  const name = last(model);
  return name === "" || models.some((other) => other !== model && last(other) === name) ? model : name;
}

interface NewBatch {
  readonly name: string;
  /** What was rendered into the file. */
  readonly version: BuildInput;
  readonly file: PreparedFile;
  readonly inputFileId: string;
  /** As a copy of the batch begins with it. */
  readonly built: BuildInput;
  readonly link: BatchLink | null;
}

async function createBatch(
  { service, batchSources, logger }: SubmitDeps,
  source: StoredSource,
  { name, version: { template, rows }, file, inputFileId, built, link }: NewBatch,
): Promise<string> {
  const batch = await service.batches.create({
    inputFileId,
    allowsGenerated: true,
    endpoint: batchEndpoint,
    completionWindow,
    metadata: { name },
    connection: template.connectionId,
    reuse: rows?.reuse ?? false,
    onceIdentical: rows?.onceIdentical ?? false,
    link,
  });
  // The batch runs already: a failure to record its table is no failure of the submit.
  await batchSources.record(batch.id, source, built, file.written).catch((error: unknown) => {
    logger.warn("the table of a batch can't be recorded", { batch: batch.id, error: String(error) });
  });
  return batch.id;
}
