import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { sep } from "node:path";
import { createDiskLog, type PatchedDisk, type SyncOperation, type WriteOperation } from "./disk-log.ts";

type Call = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Stands between this process and Node's file system: it records what is done in a folder, and lets chosen operations fail.
 * It replaces functions of `node:fs` and `node:fs/promises`, so it is loaded before all that uses these.
 */
export const disk: PatchedDisk = patchDisk();

function patchDisk(): PatchedDisk {
  const log = createDiskLog();
  const { pathOf, mayFail, beforeOpen, opened, beginWrite, endWrite, beginSync, endSync, inside, isRecorded } = log;
  let areHandlesPatched = false;
  const flagsOf = (flags: unknown) => (typeof flags === "number" ? flags : typeof flags === "string" ? flags : "r");
  const replace = (of: object, name: string, by: (original: Call) => Call) => {
    const found: unknown = Reflect.get(of, name);
    if (typeof found !== "function") throw new Error(`Node has no ${name} any more.`);
    Reflect.set(
      of,
      name,
      by(function (...args) {
        return Reflect.apply(found, this, args);
      }),
    );
  };
  // Handles, synchronous.
  replace(fs, "openSync", (original) => (path, flags, ...rest) => {
    beforeOpen(pathOf(path), flagsOf(flags));
    const fd = Number(original(path, flags, ...rest));
    opened(fd, pathOf(path), flagsOf(flags));
    return fd;
  });
  replace(fs, "closeSync", (original) => (fd) => {
    log.closed(fd);
    return original(fd);
  });
  replace(fs, "writeSync", (original) => (fd, data, offset, length, position) => {
    const isText = typeof data === "string";
    const all = toBytes(data, length);
    const bytes = isText ? all : all.subarray(Number(offset ?? 0), Number(offset ?? 0) + Number(length ?? all.length));
    const write = beginWrite(Number(fd), bytes, isText ? offset : position);
    const written = Number(original(fd, data, offset, length, position));
    endWrite(write, written);
    return written;
  });
  replace(fs, "ftruncateSync", (original) => (fd, size) => {
    const path = log.pathOfOpen(Number(fd));
    if (path !== undefined) mayFail("truncate", path);
    original(fd, size);
    log.truncated(Number(fd), Number(size ?? 0));
  });
  for (const name of ["fsyncSync", "fdatasyncSync"]) {
    replace(fs, name, (original) => (fd) => {
      const sync = beginSync(Number(fd));
      original(fd);
      endSync(sync);
    });
  }
  replace(fs, "readSync", (original) => (fd, ...rest) => {
    const path = log.pathOfOpen(Number(fd));
    if (path !== undefined) mayFail("read", path);
    return original(fd, ...rest);
  });

  // Handles, with callbacks: Node's streams use these.
  const withCallback =
    (begin: (...args: unknown[]) => unknown, end: (begun: unknown, result: unknown, args: unknown[]) => void) =>
    (original: Call): Call =>
    (...args) => {
      const callback = args.at(-1) as (error: Error | null, result?: unknown, ...more: unknown[]) => void;
      const given = args.slice(0, -1);
      let begun: unknown;
      try {
        begun = begin(...given);
      } catch (error) {
        queueMicrotask(() => callback(error as Error));
        return undefined;
      }
      return original(...given, (error: Error | null, result?: unknown, ...more: unknown[]) => {
        if (error === null || error === undefined) end(begun, result, given);
        callback(error, result, ...more);
      });
    };
  replace(
    fs,
    "open",
    withCallback(
      (path, flags) => beforeOpen(pathOf(path), flagsOf(flags)),
      (_, fd, [path, flags]) => opened(Number(fd), pathOf(path), flagsOf(flags)),
    ),
  );
  replace(fs, "close", (original) => (fd, ...rest) => {
    log.closed(fd);
    return original(fd, ...rest);
  });
  replace(
    fs,
    "write",
    withCallback(
      (fd, data, offset, length, position) => {
        const all = toBytes(data);
        const start = Number(offset ?? 0);
        return beginWrite(Number(fd), all.subarray(start, start + Number(length ?? all.length)), position);
      },
      (write, written) => endWrite(write as WriteOperation | null, Number(written)),
    ),
  );
  replace(
    fs,
    "writev",
    withCallback(
      (fd, chunks, position) =>
        beginWrite(Number(fd), Buffer.concat((chunks as Uint8Array[]).map((chunk) => toBytes(chunk))), position),
      (write, written) => endWrite(write as WriteOperation | null, Number(written)),
    ),
  );
  for (const name of ["fsync", "fdatasync"]) {
    replace(
      fs,
      name,
      withCallback(
        (fd) => beginSync(Number(fd)),
        (sync) => {
          endSync(sync as SyncOperation | null);
        },
      ),
    );
  }
  replace(
    fs,
    "read",
    withCallback(
      (fd) => {
        const path = log.pathOfOpen(Number(fd));
        if (path !== undefined) mayFail("read", path);
      },
      () => {},
    ),
  );

  // Handles, with promises.
  replace(fs.promises, "open", (original) => async (path, flags, mode) => {
    beforeOpen(pathOf(path), flagsOf(flags));
    const handle = (await original(path, flags, mode)) as fs.promises.FileHandle;
    // All handles of Node share it, and it is exported nowhere.
    if (!areHandlesPatched) patchHandles(Object.getPrototypeOf(handle));
    areHandlesPatched = true;
    opened(handle, pathOf(path), flagsOf(flags));
    return handle;
  });

  function patchHandles(prototype: object): void {
    const patch = (name: string, by: (original: Call) => Call) => replace(prototype, name, by);
    patch(
      "write",
      (original) =>
        async function (data, offset, length, position) {
          const options =
            typeof offset === "object" && offset !== null
              ? (offset as { offset?: number; length?: number; position?: number })
              : null;
          const isText = typeof data === "string";
          const all = toBytes(data, length);
          const start = isText ? 0 : Number(options?.offset ?? (options === null ? offset : 0) ?? 0);
          const count = isText
            ? all.length
            : Number(options?.length ?? (options === null ? length : undefined) ?? all.length - start);
          const place = options === null ? (isText ? offset : position) : options.position;
          const write = beginWrite(this, all.subarray(start, start + count), place);
          const result = (await original.call(this, data, offset, length, position)) as { bytesWritten: number };
          endWrite(write, result.bytesWritten);
          return result;
        },
    );
    patch(
      "writev",
      (original) =>
        async function (chunks, position) {
          const bytes = Buffer.concat((chunks as Uint8Array[]).map((chunk) => toBytes(chunk)));
          const write = beginWrite(this, bytes, position);
          const result = (await original.call(this, chunks, position)) as { bytesWritten: number };
          endWrite(write, result.bytesWritten);
          return result;
        },
    );
    for (const name of ["writeFile", "appendFile"]) {
      patch(
        name,
        (original) =>
          async function (data, options) {
            const write = beginWrite(this, toBytes(data), null);
            await original.call(this, data, options);
            endWrite(write, toBytes(data).length);
          },
      );
    }
    for (const name of ["sync", "datasync"]) {
      patch(
        name,
        (original) =>
          async function () {
            const sync = beginSync(this);
            await original.call(this);
            endSync(sync);
          },
      );
    }
    patch(
      "truncate",
      (original) =>
        async function (size) {
          const path = log.pathOfOpen(this);
          if (path !== undefined) mayFail("truncate", path);
          await original.call(this, size);
          log.truncated(this, Number(size ?? 0));
        },
    );
    for (const name of ["read", "readFile", "stat"]) {
      patch(
        name,
        (original) =>
          async function (...args) {
            const path = log.pathOfOpen(this);
            if (path !== undefined) mayFail(name === "stat" ? "stat" : "read", path);
            return await original.call(this, ...args);
          },
      );
    }
  }

  // By names, synchronous and with promises.
  const byName = (name: string, act: (kind: "before" | "after", args: unknown[]) => void) => {
    replace(fs, `${name}Sync`, (original) => (...args) => {
      if (log.isInside()) return original(...args);
      act("before", args);
      const result = inside(() => original(...args));
      act("after", args);
      return result;
    });
    replace(fs.promises, name, (original) => async (...args) => {
      act("before", args);
      const result = await original(...args);
      act("after", args);
      return result;
    });
  };
  for (const kind of ["rename", "link"] as const) {
    byName(kind, (when, [from, path]) =>
      when === "before" ? mayFail(kind, pathOf(path)) : log.named(kind, pathOf(from), pathOf(path)),
    );
  }
  for (const name of ["rm", "unlink", "rmdir"]) {
    byName(name, (when, [path]) =>
      when === "before" ? mayFail("remove", pathOf(path)) : log.one("remove", pathOf(path)),
    );
  }
  byName("mkdir", (when, [path]) =>
    when === "before" ? mayFail("mkdir", pathOf(path)) : log.one("mkdir", pathOf(path)),
  );
  for (const name of ["writeFile", "appendFile"]) {
    byName(name, (when, [path, data, options]) => {
      if (typeof path === "number") return;
      const encoding = typeof options === "string" ? options : (options as { encoding?: string } | undefined)?.encoding;
      const flag = (options as { flag?: string } | undefined)?.flag ?? "";
      if (when === "after")
        return log.wrote(pathOf(path), toBytes(data, encoding), name === "appendFile" || flag.startsWith("a"));
      mayFail("create", pathOf(path));
      mayFail("write", pathOf(path));
    });
  }
  byName("copyFile", (when, [, path]) => {
    if (when === "before") return mayFail("create", pathOf(path));
    if (isRecorded(pathOf(path))) log.wrote(pathOf(path), inside(() => fs.readFileSync(pathOf(path))) as Buffer, false);
  });
  byName("truncate", (when, [path, size]) => {
    if (when === "before") return mayFail("truncate", pathOf(path));
    log.truncatedByName(pathOf(path), Number(size ?? 0));
  });
  for (const name of ["cp", "mkdtemp", "symlink"]) {
    byName(name, (when, [from, to]) => {
      const path = pathOf(name === "mkdtemp" ? from : to);
      if (when === "after" && isRecorded(path)) recordTree(path, name);
    });
  }
  byName("readFile", (when, [path]) => {
    if (when === "after" || typeof path === "number") return;
    mayFail("open", pathOf(path));
    mayFail("read", pathOf(path));
  });
  byName("readdir", (when, [path]) => (when === "before" ? mayFail("list", pathOf(path)) : undefined));
  byName("stat", (when, [path]) => (when === "before" ? mayFail("stat", pathOf(path)) : undefined));

  /** A copied folder: names and bytes of all in it. */
  function recordTree(path: string, name: string): void {
    if (name !== "cp") throw new Error(`${name} is not recorded.`);
    const stat = inside(() => fs.statSync(path)) as fs.Stats;
    if (stat.isDirectory()) {
      log.one("mkdir", path);
      for (const entry of inside(() => fs.readdirSync(path))) recordTree(`${path}${sep}${entry}`, name);
    } else {
      const content = inside(() => fs.readFileSync(path));
      log.wrote(path, content, false);
    }
  }

  syncBuiltinESMExports();
  return { record: log.record, fail: log.fail };
}

function toBytes(data: unknown, encoding?: unknown): Uint8Array {
  if (typeof data === "string")
    return Buffer.from(data, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8");
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array();
}
