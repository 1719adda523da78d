import { copyFile, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type {
  Replacement,
  Source,
  SourceCopyProgress,
  SourceHead,
  SourceLayout,
  SourceProgress,
  SourceRow,
} from "#contract";
import { type Clock, createQueue, type Ids } from "#main/base";
import { moveInto, type Notices, readJsonFile, type WriteRules, writeJsonFile } from "#main/storage";
import { BuildError, checkId } from "../errors.ts";
import { createSourceContent, originalName } from "./source-content.ts";
import {
  type IndexEvent,
  type Row,
  type SourceIndex,
  type StoredSource,
  storedSourceSchema,
  toSourceRow,
} from "./stored-source.ts";
import { copyTableFile } from "./table-file.ts";
import { createUploads } from "./uploads.ts";

/** Reads the content of sources: in a worker, so that a table never blocks the app's thread. */
export interface SourceReader {
  /** Ends after the event with the result. */
  index(path: string, name: string, layout: SourceLayout | undefined, signal?: AbortSignal): AsyncIterable<IndexEvent>;
  head(path: string, name: string): Promise<SourceHead | null>;
  rows(path: string, source: StoredSource, from: number, limit: number): Promise<readonly Row[]>;
  /** The values at a path of all lines, the most frequent first. */
  countValues(path: string, source: StoredSource, at: string): Promise<ValueCount[]>;
  /** How many lines each replacement changes. */
  countReplaced(path: string, source: StoredSource, replacements: readonly Replacement[]): Promise<readonly number[]>;
}

/** A value, and the number of lines that have it. */
interface ValueCount {
  readonly value: string;
  readonly lines: number;
}

export interface SourceStoreDeps {
  /** The folder of the sources, each in a folder of its own; created when it is missing. */
  readonly folder: string;
  readonly writeRules: WriteRules;
  /** The folder of content without a record. */
  readonly quarantine: string;
  readonly notices: Pick<Notices, "add">;
  readonly reader: SourceReader;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The files that were dropped, and the positions of their rows. Each file is uploaded in pieces. */
export interface SourceStore {
  /** `generated`: its bytes are requests that the app made once. */
  begin(name: string, generated?: boolean): Promise<{ id: string }>;
  /** Writes the next piece; `offset` is how many bytes went before. Returns how many there are now. */
  append(id: string, offset: number, chunk: Uint8Array): Promise<{ bytes: number }>;
  /**
   * Reads the upload; ends after the event that has the source. When it is aborted before, or the file is no table, the
   * upload is removed.
   */
  finish(id: string, signal?: AbortSignal): AsyncGenerator<SourceProgress>;
  /** Makes a source of a copy of a file on this machine. */
  add(path: string, name: string): Promise<Source>;
  /** The same with its progress, of a path that may lead anywhere. Aborted, or where it is no table, it leaves nothing. */
  copy(path: string, name: string, signal?: AbortSignal): AsyncGenerator<SourceCopyProgress>;
  get(id: string): Promise<Source>;
  setLayout(id: string, layout: SourceLayout): Promise<Source>;
  /** The first rows of an upload so far; null where its first part is not enough. */
  head(id: string): Promise<SourceHead | null>;
  /** Replaces a line of a file of requests by a text; null restores the line of the file. */
  editLine(id: string, line: number, text: string | null): Promise<Source>;
  /** The values at a path of a file of requests. */
  values(id: string, path: string): Promise<ValueCount[]>;
  /** Sets what is replaced in all lines of a file of requests. */
  setReplacements(id: string, replacements: readonly Replacement[]): Promise<Source>;
  /** Rows `offset` … `offset + limit - 1`, counted from 0. */
  rows(id: string, offset: number, limit: number): Promise<{ total: number; rows: SourceRow[] }>;
  /** Removes an upload or a source, which may be removed already. */
  remove(id: string): Promise<void>;
  /** What a pass over the source needs: as it is laid out now, or as it was for a batch. */
  open(id: string, laidOut?: StoredSource): Promise<{ path: string; source: StoredSource }>;
  /** Whether it is being uploaded: nothing uses it yet. */
  isUpload(id: string): boolean;
  /** The sources that are not in use, but for new ones. */
  findUnused(used: ReadonlySet<string>): Promise<string[]>;
  /**
   * Removes uploads that were never finished and, where it is known which sources are in use, unused ones older than a day.
   * A table whose record can't be read is moved to quarantine when nothing uses it.
   */
  tidy(used: ReadonlySet<string> | null): Promise<void>;
  close(): Promise<void>;
}

const notFound = "This file is no longer there. Add it again.";
const damaged = "The record of this table is damaged on disk. Add the file again.";
const rewritten = "The bytes of this file were not stored as they came. Add the file again to choose its encoding.";
const sourceName = /^source_\w+$/;
const orphanMilliseconds = 24 * 60 * 60 * 1000;
/** How long a new source counts as used: the draft that uploads it has not been saved yet. */
const newMilliseconds = 10 * 60 * 1000;

/** What the page gets of a source: how its rows are found stays here. */
function toSource({
  checkpoints: _,
  createdAt: __,
  content: ___,
  contents: ____,
  generated: _____,
  paths: ______,
  edits,
  ...source
}: StoredSource): Source {
  return { ...source, editedLines: Object.keys(edits).map(Number) };
}

export function createSourceStore(parts: SourceStoreDeps): SourceStore {
  const { folder, writeRules, quarantine, notices, reader, clock, ids } = parts;
  const folderOf = (id: string) => join(folder, checkId(id, notFound));
  const originalOf = (id: string) => join(folderOf(id), originalName);
  /** The name of content that was never read to its end. */
  const partOf = (id: string) => `${originalOf(id)}.part`;
  const recordOf = (id: string) => join(folderOf(id), "source.json");
  const content = createSourceContent({
    folderOf,
    writeRules,
    index: (path, { name, csv, encoding, sheet, valuesAsShown, visibleRowsOnly }) =>
      reader.index(path, name, { csv, encoding, sheet, valuesAsShown, visibleRowsOnly }),
  });
  const uploads = createUploads();
  const inTurn = createQueue();

  async function read(id: string): Promise<StoredSource | undefined> {
    const record = storedSourceSchema.safeParse(await readJsonFile(recordOf(id)));
    return record.data;
  }

  async function load(id: string): Promise<StoredSource> {
    const source = await read(id).catch((error: unknown) => {
      throw error instanceof SyntaxError ? new BuildError("refused", damaged) : error;
    });
    if (source === undefined) throw new BuildError("not_found", notFound);
    return source;
  }

  async function loadRequests(id: string): Promise<StoredSource> {
    const source = await load(id);
    if (source.holds !== "requests") throw new BuildError("refused", "Only lines of a file of requests are edited.");
    return source;
  }

  async function save(source: StoredSource): Promise<Source> {
    await writeJsonFile(recordOf(source.id), source, writeRules);
    return toSource(source);
  }

  /** Brings what a file was converted to to the disk; nothing where it was not. */
  async function sealConverted(id: string, { content: name }: SourceIndex): Promise<StoredSource["contents"]> {
    return name === originalName ? {} : { [name]: await content.seal(join(folderOf(id), name)) };
  }

  async function removeFolder(id: string): Promise<void> {
    writeRules.assertHeld();
    await rm(folderOf(id), { recursive: true, force: true });
  }

  async function createFolder(): Promise<string> {
    writeRules.assertHeld();
    const id = ids.create("source");
    await mkdir(folderOf(id), { recursive: true });
    return id;
  }

  /** Classifies a folder at the start: an upload, a source (orphaned once it is old), a table without a record, or unknown. */
  async function findState(id: string): Promise<"unfinished" | "orphaned" | "recent" | "nameless" | "unknown"> {
    try {
      const source = await read(id);
      if (source !== undefined) return source.createdAt < clock.now() - orphanMilliseconds ? "orphaned" : "recent";
      const names = await readdir(folderOf(id));
      return names.some((name) => [originalName, "source.json"].includes(name)) ? "nameless" : "unfinished";
    } catch (error) {
      // A failure to read a record may be temporary; only an invalid record counts.
      return error instanceof SyntaxError ? "nameless" : "unknown";
    }
  }

  async function listFolders(): Promise<string[]> {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && sourceName.test(entry.name)).map(({ name }) => name);
  }

  function quarantineAll(ids: readonly string[]): void {
    if (ids.length === 0) return;
    for (const id of ids) moveInto(quarantine, folderOf(id), id);
    const [tables, were] = ids.length === 1 ? ["1 table", "was"] : [`${ids.length} tables`, "were"];
    const message = `${tables} of Build could not be read and ${were} set aside. Nothing was deleted: add the table again where a draft needs it.`;
    const details = `From ${folder} to ${quarantine}: ${ids.join(", ")}`;
    notices.add({ code: "sources_quarantined", count: ids.length, message, details });
  }

  /** Reads the complete content; removes a file that is no table. */
  async function* indexContent(
    id: string,
    name: string,
    { generated = false, signal }: { generated?: boolean; signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<SourceProgress> {
    let isStored = false;
    try {
      const { size } = await stat(partOf(id));
      for await (const event of reader.index(partOf(id), name, undefined, signal)) {
        if (event.phase === "reading") {
          yield event;
        } else {
          const original = await content.seal(partOf(id));
          writeRules.confirmHeld();
          await rename(partOf(id), originalOf(id));
          const contents = { [originalName]: original, ...(await sealConverted(id, event.index)) };
          await writeRules.syncName(folderOf(id));
          const source = await save({
            ...event.index,
            contents,
            id,
            name,
            bytes: size,
            createdAt: clock.now(),
            generated,
            edits: {},
            replacements: [],
          });
          isStored = true;
          yield { phase: "read", source };
        }
      }
    } finally {
      if (!isStored) await removeFolder(id);
    }
  }

  return {
    async begin(name, generated = false) {
      const id = await createFolder();
      await uploads.begin(id, partOf(id), { name, generated });
      return { id };
    },
    async append(id, offset, chunk) {
      writeRules.assertHeld();
      return await uploads.append(id, offset, chunk);
    },
    async *finish(id, signal) {
      const { name, generated } = await uploads.end(id);
      yield* indexContent(id, name, { generated, signal });
    },
    async add(path, name) {
      const id = await createFolder();
      await copyFile(path, partOf(id));
      for await (const event of indexContent(id, name)) {
        if (event.phase === "read") return event.source;
      }
      throw new Error("The reading ended without a source.");
    },
    async *copy(path, name, signal) {
      const id = await createFolder();
      let isCopied = false;
      try {
        for await (const bytes of copyTableFile(path, partOf(id), signal)) yield { phase: "copying", bytes };
        isCopied = true;
      } finally {
        if (!isCopied) await removeFolder(id);
      }
      yield* indexContent(id, name, { signal });
    },
    get: async (id) => toSource(await load(id)),
    async setLayout(id, layout) {
      const source = await load(id);
      const original = await content.find(source, originalName);
      // An earlier version converted text to UTF-8 in place.
      const isRewritten = source.content === originalName && source.encoding !== null && source.encoding !== "utf-8";
      if (isRewritten && layout.encoding !== source.encoding) throw new BuildError("refused", rewritten);
      writeRules.assertHeld();
      const wanted = isRewritten ? { ...layout, encoding: "utf-8" as const } : layout;
      for await (const event of reader.index(original, source.name, wanted)) {
        if (event.phase !== "indexed") continue;
        const contents = { ...source.contents, ...(await sealConverted(id, event.index)) };
        const encoding = isRewritten ? source.encoding : event.index.encoding;
        return save({ ...source, ...event.index, contents, encoding });
      }
      throw new Error("The reading ended without an index.");
    },
    async head(id) {
      const { name } = uploads.get(id);
      return reader.head(partOf(id), name);
    },
    editLine: (id, line, text) =>
      inTurn(async () => {
        const source = await loadRequests(id);
        if (line > source.rowCount) throw new BuildError("not_found", `The file has no line ${line}.`);
        if (text !== null && /[\r\n]/.test(text)) throw new BuildError("refused", "A request is one line of text.");
        const { [String(line)]: _, ...others } = source.edits;
        return save({ ...source, edits: text === null ? others : { ...others, [line]: text } });
      }),
    async values(id, path) {
      const source = await loadRequests(id);
      return reader.countValues(await content.find(source), source, path);
    },
    setReplacements: (id, replacements) =>
      inTurn(async () => {
        const source = await loadRequests(id);
        const counts = await reader.countReplaced(await content.find(source), source, replacements);
        const counted = replacements.map((replacement, at) => ({ ...replacement, lines: counts[at] ?? 0 }));
        return save({ ...source, replacements: counted });
      }),
    async rows(id, offset, limit) {
      const source = await load(id);
      const path = await content.find(source);
      const rows = offset < source.rowCount ? await reader.rows(path, source, offset + 1, limit) : [];
      return { total: source.rowCount, rows: rows.map((row) => toSourceRow(row, source.columns)) };
    },
    async remove(id) {
      if (uploads.has(id)) await uploads.end(id);
      await removeFolder(id);
    },
    async open(id, laidOut) {
      const source = await load(id);
      const { contents } = source;
      return { path: await content.find(laidOut === undefined ? source : { ...laidOut, contents }), source };
    },
    isUpload: (id) => uploads.has(id),
    async findUnused(used) {
      const newest = clock.now() - newMilliseconds;
      const found = await Promise.all(
        (await listFolders())
          .filter((id) => !used.has(id) && !uploads.has(id))
          .map(async (id) => (((await read(id).catch(() => undefined))?.createdAt ?? newest) < newest ? [id] : [])),
      );
      return found.flat();
    },
    async tidy(used) {
      await mkdir(folder, { recursive: true });
      const ids = await listFolders();
      const states = await Promise.all(ids.map(async (id) => ({ id, state: await findState(id) })));
      const isUnused = (id: string) => used !== null && !used.has(id);
      for (const { id, state } of states) {
        if (state === "unfinished" || (state === "orphaned" && isUnused(id))) await removeFolder(id);
      }
      quarantineAll(states.flatMap(({ id, state }) => (state === "nameless" && isUnused(id) ? [id] : [])));
    },
    async close() {
      await uploads.close();
    },
  };
}
