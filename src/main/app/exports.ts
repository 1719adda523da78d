import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import {
  type CostReport,
  type CostRow,
  costRowSchema,
  describeMissing,
  type ExportNotes,
  type ExportOutcome,
  type ExportProgress,
  type ExportRequest,
} from "#contract";
import { type Clock, type Logger, type Machine, ServiceError } from "#main/base";
import { nameOf } from "#main/batches";
import { type Build, BuildError, toFileName } from "#main/build";
import { noteMissing, writeCsv } from "#main/exports";
import type { RequestLog } from "#main/http";
import type { Service } from "#main/service";
import { followProgress, removeFiles, removePartials } from "#main/storage";
import { type ComparisonExportDeps, openComparisonExport } from "./comparison-export.ts";
import type { AppHost } from "./host.ts";
import { openResultExport } from "./result-export.ts";
import { saveExport } from "./save-export.ts";

export interface ExporterDeps {
  readonly service: Pick<Service, "files" | "batches" | "results" | "comparisons">;
  readonly build: Build;
  readonly host: AppHost;
  readonly requests: Pick<RequestLog, "find">;
  readonly readConnectionNames: ComparisonExportDeps["readConnectionNames"];
  /** What a month cost. */
  readonly readCosts: (month: string) => Promise<CostReport>;
  /** The folder of files that a link leads to. */
  readonly folder: string;
  readonly clock: Clock;
  readonly machine: Machine;
  readonly logger: Logger;
}

export interface Exporter {
  /** When aborted, it leaves no file. */
  begin(request: ExportRequest, signal?: AbortSignal): Promise<ExportOutcome>;
  /** The same as a stream of progress that ends with the outcome. Ending the iteration cancels it. */
  follow(request: ExportRequest, signal?: AbortSignal): AsyncGenerator<ExportProgress | ExportOutcome>;
  /** Shows a saved file in its folder, by the id of its outcome. Throws a BuildError for one that is not known any more. */
  showInFolder(id: string): void;
  /** The file behind a link, once; the caller removes it. */
  take(linkId: string): LinkedFile | null;
  /** Removes the files of a run that ended without `close`. */
  tidy(): Promise<void>;
  /** Ends all links, and removes their files. */
  close(): Promise<void>;
}

const waitingName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Under this path a browser fetches what it exports. */
export const exportsPath = "/exports/";

/** Between two reports of how far an export is, in milliseconds. */
const progressInterval = 100;

/** How an export reports progress and is cancelled. */
interface Watching {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
}

/** Writes exports to the file that the user chose; in a browser, to a file behind a link. */
export function createExporter(deps: ExporterDeps): Exporter {
  const { host, folder, clock, machine, logger } = deps;
  const links = createExportLinks(clock);
  /** The paths of saved files: the page names none. */
  const saved = new Map<string, string>();
  const tidy = () => removeFiles(folder, waitingName);

  async function link({ fileName, write }: PlannedExport, watching: Watching): Promise<ExportOutcome> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, randomUUID());
    try {
      const { notes = {} } = await write(path, watching);
      return { how: "link", href: `${exportsPath}${links.add({ path, fileName })}`, fileName, ...notes };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  async function begin(request: ExportRequest, watching: Watching): Promise<ExportOutcome> {
    const planned = planExport(request, deps);
    const { saveFile } = host;
    if (saveFile === undefined) return link(planned, watching);
    const chosen = await saveFile(planned.fileName);
    if (chosen === null) return { how: "cancelled" };
    for (const name of await removePartials(chosen)) logger.warn("A half-written export was removed", { file: name });
    const saving = saveExport((part) => planned.write(part, watching), chosen, saveFile);
    const { lines, notes = {}, path } = await saving;
    const noteFile = await noteMissing(path, describeMissing(notes)).catch((error: unknown) => {
      // The file itself is there, and the outcome has the notes.
      logger.warn("The note of what is missing in an export can't be written", { file: path, error: String(error) });
      return null;
    });
    const id = randomUUID();
    saved.set(id, path);
    return { how: "saved", id, path, lines, ...(noteFile !== null && { noteFile }), ...notes };
  }

  return {
    begin: (request, signal) => begin(request, { signal }),
    async *follow(request, signal) {
      yield yield* followProgress<ExportProgress, ExportOutcome>(
        (report, ended) => begin(request, { signal: ended, onProgress: report }),
        { machine, interval: progressInterval, signal },
      );
    },
    showInFolder(id) {
      const path = saved.get(id);
      if (path === undefined || host.showInFolder === undefined) {
        throw new BuildError("not_found", "It is not known any more where this export is.");
      }
      host.showInFolder(path);
    },
    take: (linkId) => links.take(linkId),
    tidy,
    async close() {
      links.close();
      await tidy();
    },
  };
}

/** A file that is to be written: its name, and how to write it to a path. */
interface PlannedExport {
  readonly fileName: string;
  write(path: string, watching: Watching): Promise<Written>;
}

interface Written {
  readonly lines: number;
  readonly notes?: ExportNotes;
}

const newline = 0x0a;

function countLines(chunk: Uint8Array): number {
  let lines = 0;
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines += 1;
  return lines;
}

async function writeChunks(chunks: AsyncIterable<Uint8Array>, path: string, signal?: AbortSignal): Promise<Written> {
  const file = createWriteStream(path);
  const closed = finished(file);
  closed.catch(() => undefined);
  let lines = 0;
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      lines += countLines(chunk);
      if (!file.write(chunk)) await Promise.race([once(file, "drain"), closed]);
    }
  } finally {
    file.end();
  }
  await closed;
  return { lines };
}

/** The file for a request. Throws a ServiceError for a batch that doesn't exist. */
function planExport(
  request: ExportRequest,
  { build, service, requests, readConnectionNames, readCosts, folder }: ExporterDeps,
): PlannedExport {
  if (request.what === "input") {
    return {
      fileName: toFileName(request.name, ".jsonl"),
      write: async (path) => ({ lines: await build.input.writeTo(request.build, path) }),
    };
  }
  if (request.what === "file") {
    const file = service.files.get(request.fileId);
    if (file === undefined) throw new ServiceError("not_found", "This file is no longer there.");
    return {
      fileName: toFileName(file.filename, ".jsonl"),
      write: async (path) => writeChunks(await service.files.read(file.id), path),
    };
  }
  if (request.what === "requests") {
    const lines = function* () {
      for (const one of request.ids.map(requests.find))
        if (one !== undefined) yield Buffer.from(`${JSON.stringify(one)}\n`);
    };
    return { fileName: "requests.jsonl", write: (path) => writeChunks(Readable.from(lines()), path) };
  }
  if (request.what === "costs") {
    return {
      fileName: `costs-${request.month}.csv`,
      async write(path) {
        const { rows } = await readCosts(request.month);
        const parts = (async function* () {
          yield rows;
        })();
        await writeChunks(writeCsv(costColumns, parts), path);
        return { lines: rows.length };
      },
    };
  }
  if (request.what === "comparison") {
    const { name, chunks, written, notes } = openComparisonExport(request, { ...service, build, readConnectionNames });
    return {
      fileName: toFileName(name, `.${request.format}`),
      async write(path, { signal }) {
        await writeChunks(chunks, path, signal);
        return { lines: written(), notes: notes() };
      },
    };
  }
  const batch = service.batches.get(request.batchId);
  if (batch === undefined) throw new ServiceError("not_found", "This batch is no longer there.");
  const name = nameOf(batch, service);
  const { format = "jsonl" } = request;
  return {
    fileName: toFileName(name, `-results.${format === "flat" ? "jsonl" : format}`),
    async write(path, { signal, onProgress }) {
      const found = await openResultExport(request, { build, service, folder, signal, onProgress });
      await writeChunks(found.chunks, path, signal);
      return { lines: found.written(), notes: found.notes() };
    },
  };
}

const costColumns = (Object.keys(costRowSchema.shape) as (keyof CostRow)[]).map((name) => ({
  name,
  read: (row: CostRow) => row[name],
}));

/** A file that can be fetched by its link. */
export interface LinkedFile {
  readonly path: string;
  readonly fileName: string;
}

/** Links to files, each of which works once, and for a minute. */
interface ExportLinks {
  add(file: LinkedFile): string;
  /** The file of a link, which is used up by this; the caller removes the file. Null for an unknown or used link. */
  take(id: string): LinkedFile | null;
  /** Ends all links; the caller removes their files. */
  close(): void;
}

const lifetimeMilliseconds = 60_000;

function createExportLinks(clock: Pick<Clock, "after">): ExportLinks {
  const links = new Map<string, LinkedFile & { readonly cancelTimer: () => void }>();
  return {
    add(file) {
      const id = randomUUID();
      const cancelTimer = clock.after(lifetimeMilliseconds, () => {
        links.delete(id);
        rm(file.path, { force: true }).catch(() => undefined);
      });
      links.set(id, { ...file, cancelTimer });
      return id;
    },
    take(id) {
      const link = links.get(id);
      if (link === undefined) return null;
      links.delete(id);
      link.cancelTimer();
      return { path: link.path, fileName: link.fileName };
    },
    close() {
      for (const { cancelTimer } of links.values()) cancelTimer();
      links.clear();
    },
  };
}
