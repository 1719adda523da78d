import { randomUUID } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ExportOutcome, ExportRequest } from "#contract";
import type { Clock } from "#service";
import { type Build, BuildError } from "../build/index.ts";
import type { BatchApi } from "../connections/index.ts";
import { createExportLinks, type LinkedFile } from "./export-links.ts";
import type { AppHost } from "./host.ts";
import { type PlannedExport, planExport } from "./write-export.ts";

export interface ExporterParts {
  readonly api: BatchApi;
  readonly build: Build;
  readonly host: AppHost;
  /** Where files wait for their link to be followed; emptied at the start. */
  readonly folder: string;
  readonly clock: Clock;
}

export interface Exporter {
  begin(request: ExportRequest): Promise<ExportOutcome>;
  /** The file behind a link, once; the caller removes it. */
  take(linkId: string): LinkedFile | null;
  /** Removes what an end without `close` left. */
  tidy(): Promise<void>;
  /** No link works any more, and no file waits for one. */
  close(): Promise<void>;
}

/** Under this path a browser fetches what it exports. */
export const exportsPath = "/exports/";

const placeErrors: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS", "ENOENT", "EISDIR", "ENOTDIR"]);

/** Writes beside the target and moves into its place, so that no half of a file is left there. */
async function save({ write }: PlannedExport, target: string): Promise<number> {
  const part = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`);
  try {
    const lines = await write(part);
    await rename(part, target);
    return lines;
  } catch (error) {
    await rm(part, { force: true });
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (!placeErrors.has(code)) throw error;
    throw new BuildError("refused", `The file can't be written to ${target} (${code}). Choose another place.`);
  }
}

/** Writes exports where the user wants them; in a browser, where a link leads to them. */
export function createExporter({ api, build, host, folder, clock }: ExporterParts): Exporter {
  const links = createExportLinks(clock);
  const tidy = () => rm(folder, { recursive: true, force: true });

  async function link({ fileName, write }: PlannedExport): Promise<ExportOutcome> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, randomUUID());
    try {
      await write(path);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return { how: "link", href: `${exportsPath}${links.add({ path, fileName })}`, fileName };
  }

  return {
    async begin(request) {
      const planned = planExport(request, build, api);
      if (host.saveFile === undefined) return link(planned);
      const path = await host.saveFile(planned.fileName);
      return path === null ? { how: "cancelled" } : { how: "saved", path, lines: await save(planned, path) };
    },
    take: (linkId) => links.take(linkId),
    tidy,
    async close() {
      links.close();
      await tidy();
    },
  };
}
