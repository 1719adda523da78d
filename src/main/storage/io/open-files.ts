import { readFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { isMainThread } from "node:worker_threads";
import type { Machine } from "#main/base";
import { createSystemMachine } from "#main/base";

/** How many files may be open at a time, of those that are read, written and served: what else comes waits for a place. */
export interface OpenFiles {
  /**
   * Opens a file once there is a place for it, which its `close` gives back. `onNeeded` is for a file that is kept open between
   * its uses: it is called when another needs the place, and closes the file when that can be.
   */
  open(path: string, flags?: string, mode?: number, onNeeded?: () => void): Promise<FileHandle>;
  /**
   * A place for a file that its caller opens at once: it does not wait, and another that is only kept open makes room. The
   * answer gives the place back.
   */
  take(onNeeded: () => void): () => void;
}

interface Place {
  onNeeded: (() => void) | null;
}

/**
 * The longest that a file waits for a place, in milliseconds. Then it is opened all the same: two that have a file open and
 * wait for another must not wait for each other for ever, and places are fewer than handles.
 */
const longestWait = 5_000;

/** A pool of `most` places. */
export function createOpenFiles(most: number, machine: Machine = createSystemMachine()): OpenFiles {
  /** The longest unused first. */
  const places = new Set<Place>();
  const waiting = new Set<() => void>();

  function add(onNeeded: (() => void) | null): Place {
    const place = { onNeeded };
    places.add(place);
    return place;
  }

  async function waitForPlace(onNeeded: (() => void) | null): Promise<Place> {
    if (places.size >= most) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = machine.after(longestWait, resolve, { unref: true });
      waiting.add(resolve);
      askForPlace();
      await promise;
      waiting.delete(resolve);
      cancel();
    }
    return add(onNeeded);
  }

  function askForPlace(): void {
    for (const place of places) {
      if (place.onNeeded === null) continue;
      const { onNeeded } = place;
      place.onNeeded = null;
      onNeeded();
      return;
    }
  }

  function giveBack(place: Place): void {
    if (!places.delete(place) || places.size >= most) return;
    const [next] = waiting;
    if (next === undefined) return;
    waiting.delete(next);
    next();
  }

  return {
    async open(path, flags = "r", mode, onNeeded) {
      const place = await waitForPlace(onNeeded ?? null);
      try {
        const file = await open(path, flags, mode);
        const close = file.close.bind(file);
        return Object.assign(file, { close: () => close().finally(() => giveBack(place)) });
      } catch (error) {
        giveBack(place);
        throw error;
      }
    },
    take(onNeeded) {
      if (places.size >= most) askForPlace();
      const place = add(onNeeded);
      return () => giveBack(place);
    },
  };
}

/** Where the system does not say. */
const usualLimit = 1_024;

/** How many handles the system lets this process have. Node has raised that as far as it may when it started. */
function readHandleLimit(): number {
  if (process.platform !== "linux") return usualLimit;
  try {
    const [, soft = ""] = /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft) || usualLimit;
  } catch {
    return usualLimit;
  }
}

/** What Node and its threads, the journal, sockets that listen, and what opens a file for a moment have at most. */
const ownHandles = 48;

/** The shares of a limit: files of the service itself and of each of its threads, and connections of its clients. */
export function divideHandles(limit: number): { files: number; threadFiles: number; connections: number } {
  const left = Math.max(0, limit - ownHandles);
  return {
    files: Math.min(512, Math.max(4, Math.floor(left / 4))),
    threadFiles: Math.min(64, Math.max(2, Math.floor(left / 16))),
    connections: Math.max(8, Math.floor(left / 2)),
  };
}

const { files, threadFiles, connections } = divideHandles(readHandleLimit());

/** Those of this thread. */
export const openFiles: OpenFiles = createOpenFiles(isMainThread ? files : threadFiles);

/** The most connections of clients that a server of this process takes at a time. */
export const mostConnections: number = connections;
