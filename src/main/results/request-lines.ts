import { mkdir, rename, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { crc32 } from "node:zlib";
import { z } from "zod";
import {
  openFiles,
  parseJson,
  readFully,
  type ScannedLine,
  scanLines,
  type WriteRules,
  writeFully,
} from "#main/storage";

/** Where the requests of an input file are. */
export interface RequestLines {
  /** Where each starts, and where the last one ends. */
  readonly starts: Float64Array;
  /** CRC-32 of each, without its line end. */
  readonly checksums: Uint32Array;
}

/** Called with how many bytes have been read of how many. */
export type Report = (bytes: number, size: number) => void;

/** What no limit of a line is above: of a batch that ended before its check, longer lines are not read. In bytes. */
const longestLine = 256_000_000;

interface ScanOptions {
  /** So many requests were there: what is missing of a file that was cut counts as damaged. */
  readonly least?: number;
  readonly report?: Report | undefined;
}

/** Finds the lines of a file that are not blank. The file need not be right. */
export async function scanRequests(path: string, { least = 0, report }: ScanOptions = {}): Promise<RequestLines> {
  const starts: number[] = [];
  const checksums: number[] = [];
  let last = 0;
  const onLine = ({ bytes, start, end }: ScannedLine) => {
    if (bytes !== null && isBlank(bytes)) return;
    starts.push(start);
    checksums.push(bytes === null ? 0 : crc32(bytes));
    last = end;
  };
  await scanLines(path, onLine, { onChunk: report, maxLineBytes: longestLine });
  while (checksums.length < least) {
    starts.push(last);
    checksums.push(ofNoRequest);
  }
  return { starts: Float64Array.from([...starts, last]), checksums: Uint32Array.from(checksums) };
}

/** Not that of an empty line, which is 0. */
const ofNoRequest = 1;

const space = 0x20;

function isBlank(line: Buffer): boolean {
  const [first] = line;
  return first === undefined || ((first <= space || first > 0x7f) && line.toString().trim() === "");
}

/** The header is a line of JSON; the columns are behind it. */
const longestHeader = 1_024;

const headerSchema = z.object({
  version: z.literal(5),
  /** Its batch, by which that of another is told; versions before did not write it. */
  batch: z.string().optional(),
  /** CRC-32 of the columns. */
  checksum: z.int(),
  total: z.int().min(0),
  /** Of the input file. */
  size: z.int(),
});
type Header = z.infer<typeof headerSchema>;

/** Writes them down as they are in memory: a start needs not read the input file for them. */
export async function writeRequestLines(
  path: string,
  input: string,
  { starts, checksums }: RequestLines,
  { assertHeld, confirmHeld, syncFile }: Omit<WriteRules, "syncName">,
): Promise<void> {
  assertHeld();
  const arrays = [toBytes(starts), toBytes(checksums)];
  const header: Header = {
    version: 5,
    batch: basename(path),
    checksum: arrays.reduce((sum, bytes) => crc32(bytes, sum), 0),
    total: checksums.length,
    size: (await stat(input)).size,
  };
  const part = `${path}.part`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await openFiles.open(part, "w", 0o600);
  try {
    let position = 0;
    for (const bytes of [Buffer.from(`${JSON.stringify(header)}\n`), ...arrays]) {
      await writeFully(file, bytes, position);
      position += bytes.length;
    }
    await syncFile(file);
  } finally {
    await file.close();
  }
  confirmHeld();
  await rename(part, path);
}

/**
 * Null when there are none, or they are damaged or those of another batch. An input file never changes: where it is another one
 * now it is damaged, and they tell in which lines.
 * @param total how many there are; 0 where that is not known
 */
export async function readRequestLines(path: string, total = 0): Promise<RequestLines | null> {
  const file = await openFiles.open(path).catch(() => null);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const start = await readFully(file, 0, Math.min(size, longestHeader));
    const headerEnd = start.indexOf("\n") + 1;
    const header = headerSchema.safeParse(parseJson(start.toString("utf8", 0, headerEnd))).data;
    if (header === undefined || (header.batch ?? basename(path)) !== basename(path)) return null;
    if (total > 0 && header.total !== total) return null;
    if (size !== headerEnd + 12 * header.total + 8) return null;
    const found = { starts: new Float64Array(header.total + 1), checksums: new Uint32Array(header.total) };
    let position = headerEnd;
    let checksum = 0;
    for (const array of [found.starts, found.checksums]) {
      const bytes = await readFully(file, position, array.byteLength);
      checksum = crc32(bytes, checksum);
      bytes.copy(toBytes(array));
      position += array.byteLength;
    }
    return checksum === header.checksum ? found : null;
  } finally {
    await file.close();
  }
}

function toBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
