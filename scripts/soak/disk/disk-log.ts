import fs from "node:fs";
import { resolve, sep } from "node:path";

/** What a process did to a folder, in the order in which it did it. `at` is by `performance.now()`. */
export type Operation = { readonly at: number } & Change;

type Change =
  | {
      readonly kind: "open";
      readonly handle: number;
      readonly path: string;
      readonly creates: boolean;
      readonly truncates: boolean;
    }
  | WriteOperation
  | { readonly kind: "truncate"; readonly handle: number; readonly size: number }
  | SyncOperation
  | { readonly kind: "rename"; readonly from: string; readonly path: string }
  | { readonly kind: "link"; readonly from: string; readonly path: string }
  | { readonly kind: "mkdir"; readonly path: string }
  | { readonly kind: "remove"; readonly path: string };

export interface WriteOperation {
  readonly kind: "write";
  readonly handle: number;
  /** Null for the end of the file. */
  readonly offset: number | null;
  bytes: Uint8Array;
  /** How many operations there were when it was done; null while it is under way, or where it failed. */
  done: number | null;
}

export interface SyncOperation {
  readonly kind: "sync";
  readonly handle: number;
  /** As of a write. What was done before it began is on the disk then. */
  done: number | null;
}

export const faultCodes = ["EIO", "ENOSPC", "EMFILE", "EACCES"] as const;

/** A failure to inject: from the `after`th operation that can fail in this way. */
export interface DiskFault {
  readonly code: (typeof faultCodes)[number];
  readonly after: number;
  readonly forGood: boolean;
}

export interface PatchedDisk {
  /** Records what is done below a folder from now on. Returns the operations, to which more are added. */
  record(root: string): readonly Operation[];
  /** Lets operations below a folder fail from now on. */
  fail(root: string, fault: DiskFault): InjectedFault;
}

export interface InjectedFault {
  /** How many operations could have failed with each error so far. */
  readonly failable: Readonly<Record<DiskFault["code"], number>>;
  /** The first that did. */
  readonly failed: string | null;
  /** No operation fails any more. */
  heal(): void;
}

/** Which operations of Node's fail with which error of the system. */
const failing: Readonly<Record<DiskFault["code"], ReadonlySet<string>>> = {
  EIO: new Set([
    "open",
    "create",
    "read",
    "write",
    "sync",
    "truncate",
    "rename",
    "remove",
    "link",
    "mkdir",
    "stat",
    "list",
  ]),
  ENOSPC: new Set(["create", "write", "sync", "rename", "link", "mkdir"]),
  EMFILE: new Set(["open", "create", "list"]),
  EACCES: new Set(["open", "create", "rename", "remove", "link", "mkdir", "list"]),
};

interface Handle {
  readonly id: number;
  readonly path: string;
  position: number;
  readonly appends: boolean;
}

/** Follows what is done in folders, and says what is to fail of it. */
export function createDiskLog() {
  let recordRoot: string | null = null;
  const faults = new Map<string, DiskFault & { failable: Record<DiskFault["code"], number>; failed: string | null }>();
  let log: Operation[] = [];
  let nextHandle = 1;
  /** By file descriptor, or by the handle that holds one. */
  const descriptors = new Map<unknown, Handle>();
  const held = new WeakMap<object, Handle>();
  const handles = {
    get: (file: unknown) => (typeof file === "object" && file !== null ? held.get(file) : descriptors.get(file)),
    set: (file: unknown, handle: Handle) =>
      void (typeof file === "object" && file !== null ? held.set(file, handle) : descriptors.set(file, handle)),
  };
  /** A function of Node's that calls others of it. */
  let isInside = false;

  const isBelow = (path: string, root: string | null) =>
    root !== null && (path === root || path.startsWith(root + sep));
  const pathOf = (given: unknown) => resolve(given instanceof URL ? given.pathname : String(given));
  const add = <T extends Change>(change: T): T & { at: number } => {
    const added = { ...change, at: performance.now() };
    log.push(added);
    return added;
  };

  function mayFail(kind: string, path: string): void {
    if (isInside) return;
    for (const [root, fault] of faults) {
      if (!isBelow(path, root)) continue;
      for (const code of faultCodes) if (failing[code].has(kind)) fault.failable[code] += 1;
      if (!failing[fault.code].has(kind)) continue;
      const nth = fault.failable[fault.code];
      if (fault.forGood ? nth < fault.after : nth !== fault.after) continue;
      fault.failed ??= `${kind} ${path.slice(root.length + 1)}`;
      const message = `${fault.code}: injected, ${kind} '${path}'`;
      throw Object.assign(new Error(message), { code: fault.code, syscall: kind, path });
    }
  }

  const isWriting = (flags: number | string) =>
    typeof flags === "number" ? (flags & fs.constants.O_CREAT) !== 0 : /[wa]/.test(flags);
  const isTruncating = (flags: number | string) =>
    typeof flags === "number" ? (flags & fs.constants.O_TRUNC) !== 0 : flags.includes("w");

  function beforeOpen(path: string, flags: number | string): void {
    mayFail(isWriting(flags) ? "create" : "open", path);
  }

  function opened(fd: unknown, path: string, flags: number | string): void {
    if (!isBelow(path, recordRoot) && ![...faults.keys()].some((root) => isBelow(path, root))) return;
    const id = nextHandle++;
    handles.set(fd, { id, path, position: 0, appends: typeof flags === "string" && flags.startsWith("a") });
    if (isBelow(path, recordRoot)) {
      add({ kind: "open", handle: id, path, creates: isWriting(flags), truncates: isTruncating(flags) });
    }
  }

  /** Null where nothing is recorded. */
  function beginWrite(fd: unknown, bytes: Uint8Array, position: unknown): WriteOperation | null {
    const handle = handles.get(fd);
    if (handle === undefined) return null;
    mayFail("write", handle.path);
    const given = typeof position === "number" && position >= 0 ? position : null;
    const offset = handle.appends ? null : (given ?? handle.position);
    if (given === null) handle.position += bytes.length;
    if (!isBelow(handle.path, recordRoot)) return null;
    return add({ kind: "write" as const, handle: handle.id, offset, bytes: Uint8Array.from(bytes), done: null });
  }

  function endWrite(write: WriteOperation | null, written: number): void {
    if (write === null) return;
    write.bytes = write.bytes.subarray(0, written);
    write.done = log.length;
  }

  function beginSync(fd: unknown): SyncOperation | null {
    const handle = handles.get(fd);
    if (handle === undefined) return null;
    mayFail("sync", handle.path);
    return isBelow(handle.path, recordRoot) ? add({ kind: "sync" as const, handle: handle.id, done: null }) : null;
  }

  function truncated(fd: unknown, size: number): void {
    const handle = handles.get(fd);
    if (handle !== undefined && isBelow(handle.path, recordRoot)) add({ kind: "truncate", handle: handle.id, size });
  }

  /** A whole file, written by one call. */
  function wrote(path: string, content: Uint8Array, appends: boolean): void {
    if (!isBelow(path, recordRoot)) return;
    const id = nextHandle++;
    add({ kind: "open", handle: id, path, creates: true, truncates: !appends });
    const write = {
      kind: "write" as const,
      handle: id,
      offset: appends ? null : 0,
      bytes: content,
      done: log.length + 1,
    };
    add(write);
  }

  function named(kind: "rename" | "link", from: string, path: string): void {
    if (isBelow(path, recordRoot)) add({ kind, from, path });
  }

  function one(kind: "mkdir" | "remove", path: string): void {
    if (isBelow(path, recordRoot)) add({ kind, path });
  }

  /** Calls something of Node's own that may call what is replaced here. */
  const inside = <T>(run: () => T): T => {
    const before = isInside;
    isInside = true;
    const wasRoot = recordRoot;
    recordRoot = null;
    try {
      return run();
    } finally {
      isInside = before;
      recordRoot = wasRoot;
    }
  };

  return {
    pathOf,
    mayFail,
    beforeOpen,
    opened,
    closed: (fd: unknown) => void descriptors.delete(fd),
    /** Of an open file; undefined for one that is not followed. */
    pathOfOpen: (file: unknown) => handles.get(file)?.path,
    beginWrite,
    endWrite,
    beginSync,
    endSync(sync: SyncOperation | null) {
      if (sync !== null) sync.done = log.length;
    },
    truncated,
    truncatedByName(path: string, size: number) {
      if (!isBelow(path, recordRoot)) return;
      const id = nextHandle++;
      add({ kind: "open", handle: id, path, creates: false, truncates: false });
      add({ kind: "truncate", handle: id, size });
    },
    wrote,
    named,
    one,
    isRecorded: (path: string) => isBelow(path, recordRoot),
    isInside: () => isInside,
    inside,
    record(root: string): readonly Operation[] {
      recordRoot = resolve(root);
      log = [];
      return log;
    },
    fail(root: string, fault: DiskFault): InjectedFault {
      const failable = { EIO: 0, ENOSPC: 0, EMFILE: 0, EACCES: 0 };
      const injected = { ...fault, failable, failed: null as string | null };
      faults.set(resolve(root), injected);
      return {
        failable,
        get failed() {
          return injected.failed;
        },
        heal: () => void faults.delete(resolve(root)),
      };
    },
  };
}
