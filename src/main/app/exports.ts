import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { ExportOutcome, ExportRequest } from "#contract";
import { type Clock, type RequestLog, removeFiles, ServiceError } from "#service";
import { type Build, BuildError, toFileName } from "../build/index.ts";
import type { BatchApi } from "../connections/index.ts";
import { createRowSurvey, type ExportRow, type TableFormat, toExportRow, writeTable } from "../exports/index.ts";
import type { AppHost } from "./host.ts";

export interface ExporterParts {
  readonly api: BatchApi;
  readonly build: Build;
  readonly host: AppHost;
  readonly requests: Pick<RequestLog, "find">;
  /** Where files wait for their link to be followed. */
  readonly folder: string;
  readonly clock: Clock;
}

export interface Exporter {
  /** Given up, it leaves no file. */
  begin(request: ExportRequest, signal?: AbortSignal): Promise<ExportOutcome>;
  /** The file behind a link, once; the caller removes it. */
  take(linkId: string): LinkedFile | null;
  /** Removes what an end without `close` left. */
  tidy(): Promise<void>;
  /** No link works any more, and no file waits for one. */
  close(): Promise<void>;
}

const waitingName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Under this path a browser fetches what it exports. */
export const exportsPath = "/exports/";

const targetErrors: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS", "ENOENT", "EISDIR", "ENOTDIR"]);

/** Writes next to the target and renames what is whole, so that no half of a file is left there. */
async function save({ write }: PlannedExport, target: string, signal?: AbortSignal): Promise<number> {
  const part = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`);
  try {
    const lines = await write(part, signal);
    await rename(part, target);
    return lines;
  } catch (error) {
    await rm(part, { force: true });
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (!targetErrors.has(code)) throw error;
    throw new BuildError("refused", `The file can't be written to ${target} (${code}). Choose another place.`);
  }
}

/** Writes exports where the user wants them; in a browser, where a link leads to them. */
export function createExporter({ api, build, requests, host, folder, clock }: ExporterParts): Exporter {
  const links = createExportLinks(clock);
  const tidy = () => removeFiles(folder, waitingName);

  async function link({ fileName, write }: PlannedExport, signal?: AbortSignal): Promise<ExportOutcome> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, randomUUID());
    try {
      await write(path, signal);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return { how: "link", href: `${exportsPath}${links.add({ path, fileName })}`, fileName };
  }

  return {
    async begin(request, signal) {
      const planned = planExport(request, { build, api, requests });
      if (host.saveFile === undefined) return link(planned, signal);
      const path = await host.saveFile(planned.fileName);
      return path === null ? { how: "cancelled" } : { how: "saved", path, lines: await save(planned, path, signal) };
    },
    take: (linkId) => links.take(linkId),
    tidy,
    async close() {
      links.close();
      await tidy();
    },
  };
}

/** A file that is to be written: what to call it, and how to write it to a path. `write` answers with its lines. */
interface PlannedExport {
  readonly fileName: string;
  write(path: string, signal?: AbortSignal): Promise<number>;
}

const newline = 0x0a;

function countLines(chunk: Uint8Array): number {
  let lines = 0;
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines += 1;
  return lines;
}

async function writeChunks(chunks: AsyncIterable<Uint8Array>, path: string, signal?: AbortSignal): Promise<number> {
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
  return lines;
}

/** What a request for an export comes to. Throws a ServiceError for a batch that is not there. */
function planExport(
  request: ExportRequest,
  { build, api, requests }: Pick<ExporterParts, "build" | "api" | "requests">,
): PlannedExport {
  if (request.what === "input") {
    return {
      fileName: toFileName(request.name, ".jsonl"),
      write: (path) => build.input.writeTo(request.build, path),
    };
  }
  if (request.what === "file") {
    const file = api.files.get(request.fileId);
    if (file === undefined) throw new ServiceError("not_found", "This file is no longer there.");
    return {
      fileName: toFileName(file.filename.replace(/\.jsonl$/i, ""), ".jsonl"),
      write: async (path) => writeChunks(await api.files.read(file.id), path),
    };
  }
  if (request.what === "requests") {
    const found = request.ids.flatMap((id) => requests.find(id) ?? []);
    const lines = found.map((one) => Buffer.from(`${JSON.stringify(one)}\n`));
    return { fileName: "requests.jsonl", write: (path) => writeChunks(Readable.from(lines), path) };
  }
  const batch = api.batches.get(request.batchId);
  if (batch === undefined) throw new ServiceError("not_found", "This batch is no longer there.");
  const name = batch.metadata.name ?? batch.id;
  const { format = "jsonl", merged, filter } = request;
  if (format === "jsonl") {
    return {
      fileName: toFileName(name, "-results.jsonl"),
      write: (path, signal) => writeChunks(api.results.exportLines(batch.id, { merged }, filter), path, signal),
    };
  }
  return {
    fileName: toFileName(name, `-results.${format === "flat" ? "jsonl" : format}`),
    write: (path, signal) => writeResultTable({ ...request, format }, { build, api }, path, signal),
  };
}

type ResultTable = Extract<ExportRequest, { what: "results" }> & { readonly format: TableFormat };

/** Writes what came of a batch beside its rows of the table that it was built from. Answers with the rows. */
async function writeResultTable(
  { format, batchId, merged, filter, columns }: ResultTable,
  { build, api }: Pick<ExporterParts, "build" | "api">,
  path: string,
  signal?: AbortSignal,
): Promise<number> {
  const tableColumns = await build.batchSources.columns(batchId);
  const readRows = await build.batchSources.rowReader(batchId);
  async function* readTable(): AsyncGenerator<readonly ExportRow[]> {
    const cursor = readRows === null ? null : openRowCursor(readRows);
    try {
      for await (const details of api.results.details(batchId, { merged }, filter)) {
        signal?.throwIfAborted();
        const rows: ExportRow[] = [];
        for (const detail of details) rows.push(toExportRow(detail, (await cursor?.row(detail.line)) ?? null));
        yield rows;
      }
    } finally {
      await cursor?.close();
    }
  }
  const survey = createRowSurvey(tableColumns);
  let count = 0;
  for await (const rows of readTable()) {
    for (const row of rows) survey.add(row);
    count += rows.length;
  }
  await writeChunks(writeTable({ format, columns: survey.columns(columns), rows: readTable() }), path, signal);
  return count;
}

/** The rows of lines that are asked for in ascending order. */
function openRowCursor(read: (from: number) => AsyncIterable<readonly (readonly string[])[]>) {
  let reader: AsyncIterator<readonly (readonly string[])[]> | null = null;
  let rows: readonly (readonly string[])[] = [];
  let first = 0;
  return {
    /** Null where the table has no such row. */
    async row(line: number): Promise<readonly string[] | null> {
      if (reader === null) {
        reader = read(line)[Symbol.asyncIterator]();
        first = line;
      }
      while (line >= first + rows.length) {
        first += rows.length;
        const next = await reader.next();
        if (next.done) return null;
        rows = next.value;
      }
      return rows[line - first] ?? null;
    },
    close: async () => void (await reader?.return?.()),
  };
}

/** A file that waits to be fetched. */
export interface LinkedFile {
  readonly path: string;
  readonly fileName: string;
}

/** Links to files, each of which works once, and for a minute. */
interface ExportLinks {
  add(file: LinkedFile): string;
  /** The file of a link, which works no more; the caller removes the file. Null for a link that never was or is over. */
  take(id: string): LinkedFile | null;
  /** Ends the waiting for those who have not come; their files are left to the caller. */
  close(): void;
}

const lifetimeMilliseconds = 60_000;

function createExportLinks(clock: Pick<Clock, "after">): ExportLinks {
  const links = new Map<string, LinkedFile & { readonly forget: () => void }>();
  return {
    add(file) {
      const id = randomUUID();
      const forget = clock.after(lifetimeMilliseconds, () => {
        links.delete(id);
        rm(file.path, { force: true }).catch(() => undefined);
      });
      links.set(id, { ...file, forget });
      return id;
    },
    take(id) {
      const link = links.get(id);
      if (link === undefined) return null;
      links.delete(id);
      link.forget();
      return { path: link.path, fileName: link.fileName };
    },
    close() {
      for (const { forget } of links.values()) forget();
      links.clear();
    },
  };
}
