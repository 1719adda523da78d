import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type KeepSettings,
  type RetentionView,
  type StorageCleanup,
  type StoragePart,
  type StorageReport,
  storagePartSchema,
} from "#contract";
import type { Retention } from "#main/batches";
import type { Build } from "#main/build";
import type { Service } from "#main/service";
import { type openKeepSettings, toKeepLimits } from "./keep-settings.ts";

export interface StorageDeps {
  readonly dataDir: string;
  readonly service: Pick<Service, "files" | "batches">;
  readonly build: Pick<Build, "sources" | "unusedSources">;
  /** Removes exports whose link was never used. */
  readonly tidyExports: () => Promise<void>;
  readonly retention: Retention;
  readonly keepSettings: Awaited<ReturnType<typeof openKeepSettings>>;
}

/** How much of the data folder each kind of data takes, and what can be removed. */
export interface Storage {
  measure(): Promise<StorageReport>;
  clean(what: StorageCleanup): Promise<StorageReport>;
  retention(): RetentionView;
  /** How much would be removed with these settings. */
  planRetention(settings: KeepSettings): { batches: number; files: number; bytes: number };
  setRetention(settings: KeepSettings): Promise<RetentionView>;
  confirmClock(): Promise<RetentionView>;
}

/** What is in the data folder, by name; everything else is records. */
const partOf: Readonly<Record<string, StoragePart["name"]>> = {
  files: "answers",
  answers: "answers",
  indexes: "answers",
  timings: "answers",
  parts: "answers",
  verdicts: "verdicts",
  grades: "verdicts",
  "verifications.jsonl": "verdicts",
  sources: "sources",
  origins: "sources",
  rendered: "sources",
  uploads: "sources",
  drafts: "drafts",
  exports: "exports",
  quarantine: "quarantine",
  cli: "command_line",
};

export function createStorage(parts: StorageDeps): Storage {
  const { dataDir, service, build, tidyExports, retention, keepSettings } = parts;
  const quarantine = join(dataDir, "quarantine");

  async function measure(): Promise<StorageReport> {
    const sizes = new Map<StoragePart["name"], number>();
    const add = (name: StoragePart["name"], bytes: number) => sizes.set(name, (sizes.get(name) ?? 0) + bytes);
    for (const name of await readdir(dataDir)) add(partOf[name] ?? "records", await measureTree(join(dataDir, name)));

    // Uploads and answers are in one folder; the records distinguish them.
    const uploaded = service.files.list().filter(({ purpose }) => purpose === "batch");
    const inputs = Math.min(
      sizes.get("answers") ?? 0,
      uploaded.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    add("files", inputs);
    add("answers", -inputs);
    const deleted = Math.min(
      sizes.get("answers") ?? 0,
      service.batches.listDeleted().reduce((sum, { bytes }) => sum + bytes, 0),
    );
    add("deleted", deleted);
    add("answers", -deleted);

    const unused = await build.unusedSources();
    const unusedBytes = await Promise.all((unused ?? []).map((id) => measureTree(join(dataDir, "sources", id))));
    const removable: Partial<Record<StoragePart["name"], number | null>> = {
      deleted,
      sources: unused && unusedBytes.reduce((sum, bytes) => sum + bytes, 0),
      exports: sizes.get("exports") ?? 0,
      quarantine: sizes.get("quarantine") ?? 0,
    };
    return {
      folder: dataDir,
      bytes: [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0),
      parts: storagePartSchema.shape.name.options.map((name) => ({
        name,
        bytes: sizes.get(name) ?? 0,
        removable: name in removable ? (removable[name] ?? null) : 0,
      })),
    };
  }

  /** Passes over what was restored meanwhile, and a retry that went with its batch. */
  async function purge(id: string): Promise<void> {
    const { batches } = service;
    if (batches.isKept(id) && batches.get(id) === undefined) await batches.purge(id);
  }

  function viewRetention(): RetentionView {
    const { paused, removed } = retention;
    const items = removed.map(({ kind, id, name, bytes, at }) => ({ kind, id, name, bytes, at }));
    const deleted = service.batches.listDeleted().length;
    return { settings: keepSettings.read(), paused, deleted, removed: items };
  }

  return {
    measure,
    retention: viewRetention,
    planRetention(settings) {
      const items = retention.plan(toKeepLimits(settings));
      const count = (kind: "batch" | "file") => items.filter((item) => item.kind === kind).length;
      return { batches: count("batch"), files: count("file"), bytes: items.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
    async setRetention(settings) {
      await keepSettings.write(settings);
      await retention.setLimits(toKeepLimits(settings));
      return viewRetention();
    },
    async confirmClock() {
      await retention.confirmClock();
      return viewRetention();
    },
    async clean(what) {
      if (what === "quarantine") await rm(quarantine, { recursive: true, force: true });
      else if (what === "exports") await tidyExports();
      // The last deleted first: a retry may be deleted apart from its batch, and before it.
      else if (what === "deleted") for (const { batch } of service.batches.listDeleted()) await purge(batch.id);
      else for (const id of (await build.unusedSources()) ?? []) await build.sources.remove(id);
      return measure();
    },
  };
}

/** The bytes of a file, or of all below a folder. Files removed meanwhile count as 0. */
async function measureTree(path: string): Promise<number> {
  const about = await stat(path).catch(() => null);
  if (about === null) return 0;
  if (!about.isDirectory()) return about.size;
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  }
  return bytes;
}
