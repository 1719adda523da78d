import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Random } from "../random.ts";
import type { Operation, SyncOperation, WriteOperation } from "./disk-log.ts";

/** What the disk may tear: a write arrives in such pieces, in bytes. */
const sector = 512;

/** How the drawn disk behaves. */
export interface Habits {
  /** `ordered`: names change in the order in which they were changed, as in a journal; `folders`: each folder for itself. */
  readonly names: "ordered" | "folders";
  /** `prefix`: of a file's unsynced bytes the first ones arrived; `holes`: any of them, and zeros in place of the rest. */
  readonly bytes: "prefix" | "holes" | "none" | "all";
}

type ByteChange = WriteOperation | { readonly kind: "truncate"; readonly size: number };

interface Inode {
  readonly changes: { readonly index: number; readonly change: ByteChange }[];
  /** All changes before it are on the disk. */
  syncedAt: number;
}

interface NameChange {
  readonly index: number;
  readonly kind: "create" | "mkdir" | "rename" | "link" | "remove";
  readonly path: string;
  readonly from?: string;
  readonly inode?: Entry;
}

type Entry = Inode | "folder";

interface Recorded {
  readonly operations: readonly Operation[];
  /** The folder that they were recorded in; it was empty. */
  readonly root: string;
  /** All that was done before this operation is on the disk; 0 by default. */
  readonly syncedAt?: number;
}

/**
 * Draws what the disk may have when the power goes after the first `count` operations, and writes it to the folder `target`:
 * bytes and names that were synced are there; of the others, any that a file system may have written by then.
 */
export function drawCrashState(recorded: Recorded, count: number, random: Random, target: string): Habits {
  const habits: Habits = {
    names: random.oneOf(["ordered", "ordered", "folders"]),
    bytes: random.oneOf(["prefix", "prefix", "holes", "none", "all"]),
  };
  const { names, isSynced } = replay(recorded, count);
  const entries = new Map<string, Entry>();
  const isOnDisk = drawNames(names, isSynced, habits.names, random);
  for (const name of names) if (isOnDisk(name)) applyName(entries, name);
  for (const [path, entry] of entries) {
    // What is in a folder that isn't there can't be reached.
    if (!hasParents(entries, path, recorded.root)) continue;
    const place = join(target, relative(recorded.root, path));
    if (entry === "folder") mkdirSync(place, { recursive: true, mode: 0o700 });
    else writeFileSync(place, drawBytes(entry, habits.bytes, random), { mode: 0o600 });
  }
  return habits;
}

/** The files as they are after all operations, by their path: as in the folder itself, where nothing was missed. */
export function replayFiles(recorded: Recorded): Map<string, Buffer> {
  const { current } = replay(recorded, recorded.operations.length);
  const files = new Map<string, Buffer>();
  for (const [path, entry] of current) {
    if (entry !== "folder") files.set(relative(recorded.root, path), contentOf(entry));
  }
  return files;
}

/** The bytes of all files that there were, with those that were removed. */
export function replayAll(recorded: Recorded): Buffer[] {
  return [...new Set(replay(recorded, recorded.operations.length).files.values())].map(contentOf);
}

function contentOf({ changes }: Inode): Buffer {
  return changes.reduce((content, { change }) => applyBytes(content, change), Buffer.alloc(0) as Buffer);
}

/** Follows the operations: which file each handle has, and all changes of names and bytes. */
function replay({ operations, root, syncedAt = 0 }: Recorded, count: number) {
  const current = new Map<string, Entry>([[root, "folder"]]);
  const names: NameChange[] = [];
  const files = new Map<number, Inode>();
  const folders = new Map<number, string>();
  /** The index before which all changes of names in a folder are on the disk. */
  const syncedFolders = new Map<string, number>();
  const rename = (change: NameChange) => {
    names.push(change);
    applyName(current, change);
  };
  for (const [index, operation] of operations.slice(0, count).entries()) {
    switch (operation.kind) {
      case "open": {
        const found = current.get(operation.path);
        if (found === "folder") folders.set(operation.handle, operation.path);
        else {
          const inode = found ?? { changes: [], syncedAt };
          if (found === undefined) rename({ index, kind: "create", path: operation.path, inode });
          else if (operation.truncates) inode.changes.push({ index, change: { kind: "truncate", size: 0 } });
          files.set(operation.handle, inode);
        }
        break;
      }
      case "write":
      case "truncate":
        files.get(operation.handle)?.changes.push({ index, change: operation });
        break;
      case "sync": {
        if (!isDone(operation, count)) break;
        const file = files.get(operation.handle);
        const folder = folders.get(operation.handle);
        if (file !== undefined) file.syncedAt = index;
        if (folder !== undefined) syncedFolders.set(folder, index);
        break;
      }
      case "mkdir":
        for (const path of missingFolders(current, operation.path)) rename({ index, kind: "mkdir", path });
        break;
      case "remove":
        rename({ index, kind: "remove", path: operation.path });
        break;
      case "rename":
      case "link": {
        const inode = current.get(operation.from);
        if (inode !== undefined)
          rename({ index, kind: operation.kind, path: operation.path, from: operation.from, inode });
        break;
      }
    }
  }
  const isSynced = ({ path, index }: NameChange) => index < Math.max(syncedAt, syncedFolders.get(dirname(path)) ?? 0);
  return { current, names, files, isSynced };
}

/** A folder, and those around it that are made with it. */
function missingFolders(current: ReadonlyMap<string, Entry>, path: string): string[] {
  return current.has(path) ? [] : [...missingFolders(current, dirname(path)), path];
}

function isDone({ done }: WriteOperation | SyncOperation, count: number): boolean {
  return done !== null && done <= count;
}

function applyName(entries: Map<string, Entry>, { kind, path, from, inode }: NameChange): void {
  if (kind === "mkdir") entries.set(path, "folder");
  else if (kind === "remove") {
    for (const name of [...entries.keys()]) if (name === path || name.startsWith(path + sep)) entries.delete(name);
  } else if (inode !== undefined) {
    if (kind === "rename" && from !== undefined) entries.delete(from);
    entries.set(path, inode);
    if (kind === "rename" && from !== undefined) {
      // What is in a folder goes with it.
      for (const [name, entry] of [...entries].filter(([name]) => name.startsWith(from + sep))) {
        entries.delete(name);
        entries.set(path + name.slice(from.length), entry);
      }
    }
  }
}

/** Chooses which changes of names are on the disk: those that were synced, and of the later ones the first. */
function drawNames(
  names: readonly NameChange[],
  isSynced: (name: NameChange) => boolean,
  how: Habits["names"],
  random: Random,
): (name: NameChange) => boolean {
  if (how === "ordered") {
    const least = names.findLastIndex(isSynced) + 1;
    const last = names[least + random.below(names.length - least + 1) - 1];
    return ({ index }) => last !== undefined && index <= last.index;
  }
  const cuts = new Map<string, number>();
  return (name) => {
    if (isSynced(name)) return true;
    const folder = dirname(name.path);
    let cut = cuts.get(folder);
    if (cut === undefined) {
      const later = names.filter((other) => dirname(other.path) === folder && !isSynced(other));
      cut = later[random.below(later.length + 1)]?.index ?? Number.POSITIVE_INFINITY;
      cuts.set(folder, cut);
    }
    return name.index < cut;
  };
}

function hasParents(entries: ReadonlyMap<string, Entry>, path: string, root: string): boolean {
  for (let folder = path; folder !== root; ) {
    folder = dirname(folder);
    if (folder !== root && entries.get(folder) !== "folder") return false;
  }
  return true;
}

/** The bytes of a file: all that was synced, and of what was written since as much as the disk happens to have. */
function drawBytes({ changes, syncedAt }: Inode, how: Habits["bytes"], random: Random): Buffer {
  const isSynced = ({ index, change }: Inode["changes"][number]) =>
    index < syncedAt && (change.kind === "truncate" || (change.done !== null && change.done <= syncedAt));
  let content: Buffer = Buffer.alloc(0);
  const later: ByteChange[] = [];
  for (const one of changes) {
    // What comes behind something that may be missing may be missing, too.
    if (later.length === 0 && isSynced(one)) content = applyBytes(content, one.change);
    else if (isSynced(one)) {
      for (const change of later.splice(0)) content = applyBytes(content, change);
      content = applyBytes(content, one.change);
    } else later.push(one.change);
  }
  const arrived = how === "none" ? 0 : how === "all" ? later.length : random.below(later.length + 1);
  for (const [at, change] of later.entries()) {
    if (how === "holes" && change.kind === "write") content = applySectors(content, change, () => random.chance(0.5));
    else if (at < arrived) content = applyBytes(content, change);
    else if (at === arrived && how === "prefix" && change.kind === "write") {
      const whole = random.below(Math.ceil(change.bytes.length / sector) + 1);
      const first = Math.floor((change.offset ?? content.length) / sector);
      const before = content.length;
      content = applySectors(content, change, (number) => number < first + whole);
      // Where its end did not arrive, the file is not longer either.
      const end = Math.max(before, Math.min(content.length, (first + whole) * sector));
      content = content.subarray(0, end);
    }
  }
  return content;
}

function applyBytes(content: Buffer, change: ByteChange): Buffer {
  if (change.kind === "truncate") return resize(content, change.size);
  return applySectors(content, change, () => true);
}

function applySectors(content: Buffer, { offset, bytes }: WriteOperation, arrives: (sectorNumber: number) => boolean) {
  const start = offset ?? content.length;
  const changed = resize(content, Math.max(content.length, start + bytes.length));
  for (let done = 0; done < bytes.length; ) {
    const number = Math.floor((start + done) / sector);
    const length = Math.min(bytes.length - done, (number + 1) * sector - start - done);
    if (arrives(number)) changed.set(bytes.subarray(done, done + length), start + done);
    done += length;
  }
  return changed;
}

function resize(content: Buffer, size: number): Buffer {
  const resized = Buffer.alloc(size);
  content.copy(resized, 0, 0, Math.min(content.length, size));
  return resized;
}
