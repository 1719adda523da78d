import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { devNull } from "node:os";

/** One call that a program makes of the disk. */
export interface DiskCall {
  /** As the system names it, whichever form of Node's was called: `open`, `write`, `fdatasync` … */
  readonly name: string;
  /** Of the file; empty where it is not known. */
  readonly path: string;
}

/** Calls that name a file by its path, and those that have it open. */
const byPath = ["open", "rename", "mkdir", "rm", "unlink", "readFile", "writeFile", "appendFile", "copyFile", "link"];
const morePaths = ["readdir", "stat", "truncate", "chmod", "utimes"];
const byFile = ["read", "write", "fsync", "fdatasync", "ftruncate"];
/** The methods of a FileHandle, by the names of their calls. */
const ofHandle = {
  read: "read",
  readFile: "read",
  write: "write",
  writeFile: "write",
  sync: "fsync",
  datasync: "fdatasync",
  truncate: "ftruncate",
};

/**
 * Has calls of the disk fail in this thread: `decide` is asked before each, and answers with the code of an error (`ENOSPC`)
 * or null to let it through. What Node does on its own behalf within a call (the writes of a `writeFile`) is part of it. Other
 * threads and processes are not touched: have these import a module that calls this (`node --import`). The answer puts
 * everything back.
 */
export async function injectDiskFaults(decide: (call: DiskCall) => string | null): Promise<() => void> {
  const undo: (() => void)[] = [];
  /** By file number, and by FileHandle. */
  const opened = new Map<unknown, string>();

  function findError(name: string, file: unknown): Error | null {
    const path = opened.get(file) ?? (typeof file === "string" || file instanceof URL ? String(file) : "");
    const code = decide({ name, path });
    return code === null
      ? null
      : Object.assign(new Error(`${code}: injected, ${name} '${path}'`), { code, syscall: name });
  }

  /** `call` gets what was there before, to be called with `this`. */
  function replace(owner: object, name: string, call: (before: Before, args: unknown[]) => unknown): void {
    const before: unknown = Reflect.get(owner, name);
    if (typeof before !== "function") return;
    const replaced = function (this: unknown, ...args: unknown[]): unknown {
      return call({ owner: this, run: (...own) => Reflect.apply(before, this, own) }, args);
    };
    Reflect.set(owner, name, replaced);
    undo.push(() => Reflect.set(owner, name, before));
  }

  function replaceForms(name: string): void {
    const remember = (path: unknown, file: unknown) => name === "open" && opened.set(file, String(path));
    replace(fs, `${name}Sync`, ({ run }, args) => {
      const error = findError(name, args[0]);
      if (error !== null) throw error;
      const result = run(...args);
      remember(args[0], result);
      return result;
    });
    replace(fs, name, ({ run }, args) => {
      const done = args.at(-1);
      const error = findError(name, args[0]);
      if (typeof done !== "function") return run(...args);
      if (error !== null) return process.nextTick(done, error);
      return run(...args.slice(0, -1), (failure: unknown, ...results: unknown[]) => {
        if (!failure) remember(args[0], results[0]);
        done(failure, ...results);
      });
    });
    replace(fs.promises, name, async ({ run }, args) => {
      const error = findError(name, args[0]);
      if (error !== null) throw error;
      const result = await run(...args);
      remember(args[0], result);
      return result;
    });
  }

  const handle = await fs.promises.open(devNull);
  const handles: object = Object.getPrototypeOf(handle);
  await handle.close();
  for (const name of [...byPath, ...morePaths, ...byFile]) replaceForms(name);
  for (const [method, name] of Object.entries(ofHandle)) {
    replace(handles, method, async ({ owner, run }, args) => {
      const error = findError(name, owner);
      if (error !== null) throw error;
      return await run(...args);
    });
  }
  syncBuiltinESMExports();
  return () => {
    for (const putBack of undo.reverse()) putBack();
    syncBuiltinESMExports();
  };
}

interface Before {
  readonly owner: unknown;
  readonly run: (...args: unknown[]) => unknown;
}
