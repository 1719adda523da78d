import { mkdir, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { parseJson, readFully, writeFully } from "../io/index.ts";
import type { BatchPaths } from "./batch-paths.ts";
import { openFactColumns } from "./fact-columns.ts";
import { type LineColumns, type LineIndex, openLineIndex } from "./line-index.ts";

/** The header is a line of JSON; the columns are behind it. */
const longestHeader = 1024 * 1024;

const size = z.int().nullable();
const headerSchema = z.object({
  version: z.literal(4),
  /** CRC-32 of the columns. */
  checksum: z.int(),
  total: z.int().min(0),
  /** Of the files that it is an index of: with other ones it is worth nothing. */
  sizes: z.object({ input: size, output: size, error: size }),
  models: z.array(z.string()),
  finishReasons: z.array(z.string()),
  errorCodes: z.array(z.string()),
});
type Header = z.infer<typeof headerSchema>;

/** Writes the index of a batch that has ended: its columns as they are in memory, the widest numbers first. */
export async function writeIndexFile(paths: BatchPaths, { total, columns }: LineIndex): Promise<void> {
  const { models, finishReasons, errorCodes } = columns;
  const arrays = arraysOf(columns).map(toBytes);
  const header: Header = {
    version: 4,
    checksum: arrays.reduce((sum, bytes) => crc32(bytes, sum), 0),
    total,
    sizes: await sizesOf(paths),
    models: [...models.names],
    finishReasons: [...finishReasons.names],
    errorCodes: [...errorCodes.names],
  };
  const part = `${paths.index}.part`;
  await mkdir(dirname(paths.index), { recursive: true });
  const file = await open(part, "w", 0o600);
  try {
    let position = 0;
    for (const bytes of [Buffer.from(`${JSON.stringify(header)}\n`), ...arrays]) {
      await writeFully(file, bytes, position);
      position += bytes.length;
    }
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(part, paths.index);
}

/** The index of a batch; null when there is none, or it is not that of the files as they are now. */
export async function readIndexFile(paths: BatchPaths): Promise<LineIndex | null> {
  const file = await open(paths.index).catch(() => null);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const start = await readFully(file, 0, Math.min(size, longestHeader));
    const headerEnd = start.indexOf("\n") + 1;
    const header = headerSchema.safeParse(parseJson(start.toString("utf8", 0, headerEnd))).data;
    if (header === undefined || JSON.stringify(header.sizes) !== JSON.stringify(await sizesOf(paths))) return null;
    const columns = emptyColumns(header);
    let position = headerEnd;
    let checksum = 0;
    for (const array of arraysOf(columns)) {
      if (position + array.byteLength > size) return null;
      const bytes = await readFully(file, position, array.byteLength);
      checksum = crc32(bytes, checksum);
      bytes.copy(toBytes(array));
      position += array.byteLength;
    }
    // A damaged one is made anew from the files of the batch.
    return checksum === header.checksum && position === size ? openLineIndex(columns) : null;
  } finally {
    await file.close();
  }
}

function emptyColumns({ total, models, finishReasons, errorCodes }: Header): LineColumns {
  const codes = (names: readonly string[]) => ({ codes: new Uint8Array(total), names });
  return {
    requestStarts: new Float64Array(total + 1),
    starts: new Float64Array(total),
    lengths: new Uint32Array(total),
    times: new Float32Array(total),
    states: new Uint8Array(total),
    ...openFactColumns({
      models: codes(models),
      finishReasons: codes(finishReasons),
      errorCodes: codes(errorCodes),
      promptTokens: new Uint32Array(total),
      cachedTokens: new Uint32Array(total),
      completionTokens: new Uint32Array(total),
      reasoningTokens: new Uint32Array(total),
    }),
  };
}

function arraysOf(columns: LineColumns) {
  const { requestStarts, starts, lengths, times, states } = columns;
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = columns;
  const tokens = [promptTokens, cachedTokens, completionTokens, reasoningTokens];
  const codes = [columns.models, columns.finishReasons, columns.errorCodes].map((column) => column.codes);
  return [requestStarts, starts, lengths, times, ...tokens, states, ...codes];
}

function toBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

async function sizesOf({ input, output, error }: BatchPaths): Promise<Header["sizes"]> {
  const sizeOf = async (path: string | null) => (path === null ? null : (await stat(path)).size);
  const [inputSize, outputSize, errorSize] = await Promise.all([sizeOf(input), sizeOf(output), sizeOf(error)]);
  return { input: inputSize ?? null, output: outputSize ?? null, error: errorSize ?? null };
}
