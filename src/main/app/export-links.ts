import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Clock } from "#service";

/** A file that waits to be fetched. */
export interface LinkedFile {
  readonly path: string;
  readonly fileName: string;
}

/** Links to files, each of which works once, and for a minute. */
export interface ExportLinks {
  add(file: LinkedFile): string;
  /** The file of a link, which works no more; the caller removes the file. Null for a link that never was or is over. */
  take(id: string): LinkedFile | null;
  /** Ends the waiting for those who have not come; their files are left to the caller. */
  close(): void;
}

const lifetimeMilliseconds = 60_000;

export function createExportLinks(clock: Pick<Clock, "after">): ExportLinks {
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
