import { refuseWorkbook } from "./workbook.ts";

const damaged = () => refuseWorkbook("This workbook is damaged: its parts lead back to themselves");

/** Places in the header of a compound file ([MS-CFB] 2.2), in bytes. */
const places = { sectorShift: 30, firstMini: 60, firstDifat: 68, difatCount: 72, fat: 76, end: 512 };

/** Chains that share their ends, at most: a file that is whole has none. */
const mostShared = 8;

/**
 * Refuses a compound file whose sectors lead back to themselves: its reader follows them until the memory is full. What else is
 * wrong is left to the reader.
 */
export function checkCompound(bytes: Buffer): void {
  if (bytes.length < places.end) return;
  const shift = bytes.readUInt16LE(places.sectorShift);
  if (shift !== 9 && shift !== 12) return;
  const size = 2 ** shift;
  const count = Math.ceil(bytes.length / size) - 1;
  /** A number of a sector; -1 where the file ends before it. */
  const read = (sector: number, offset: number) => {
    const at = (sector + 1) * size + offset;
    return sector >= 0 && at + 4 <= bytes.length ? bytes.readInt32LE(at) : -1;
  };
  const fat = listFat(bytes, { size, count, read });
  const next = (sector: number) => read(fat[Math.floor((sector * 4) / size)] ?? -1, (sector * 4) % size);
  checkChains(count, next);
  const mini: number[] = [];
  for (let at = bytes.readInt32LE(places.firstMini); at >= 0 && at < count; at = next(at)) mini.push(at);
  checkChains((mini.length * size) / 4, (sector) =>
    read(mini[Math.floor((sector * 4) / size)] ?? -1, (sector * 4) % size),
  );
}

interface Sectors {
  readonly size: number;
  readonly count: number;
  read(sector: number, offset: number): number;
}

/** The sectors that say which one follows each: the first are listed in the header, others in sectors of their own. */
function listFat(bytes: Buffer, { size, count, read }: Sectors): number[] {
  const fat: number[] = [];
  for (let at = places.fat; at < places.end; at += 4) {
    const sector = bytes.readInt32LE(at);
    if (sector < 0) break;
    fat.push(sector);
  }
  let sector = bytes.readInt32LE(places.firstDifat);
  const lists = Math.min(count, bytes.readUInt32LE(places.difatCount));
  for (let list = 0; list < lists && sector >= 0; list++) {
    for (let offset = 0; offset < size - 4; offset += 4) fat.push(read(sector, offset));
    sector = read(sector, size - 4);
  }
  return fat;
}

function checkChains(count: number, next: (sector: number) => number): void {
  /** The walk in which each was met first, from 1. */
  const met = new Uint32Array(count);
  const isFollower = new Uint8Array(count);
  let shared = 0;
  for (let start = 0; start < count; start++) {
    for (let at = start; at >= 0 && at < count; ) {
      if (met[at] === start + 1) throw damaged();
      if (met[at] !== 0) break;
      met[at] = start + 1;
      at = next(at);
      if (at < 0 || at >= count) break;
      shared += isFollower[at] ?? 0;
      if (shared > mostShared) throw damaged();
      isFollower[at] = 1;
    }
  }
}
