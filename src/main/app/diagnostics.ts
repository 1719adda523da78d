import { release, totalmem } from "node:os";
import { isDeepStrictEqual } from "node:util";
import {
  type Diagnostics,
  diagnosticsSchema,
  faultSettingsSchema,
  finalStatuses,
  hostVersionsSchema,
  type StorageReport,
} from "#contract";
import type { Build } from "#main/build";
import { type ConnectionStore, presets } from "#main/connections";
import type { ServerSwitch } from "#main/server";
import type { Service } from "#main/service";
import type { AppHost } from "./host.ts";

export interface DiagnosticsDeps {
  readonly version: string;
  readonly host: AppHost["kind"];
  readonly service: Pick<Service, "batches" | "files" | "notices" | "readHealth">;
  readonly build: Pick<Build, "drafts">;
  readonly connections: Pick<ConnectionStore, "list">;
  readonly server: Pick<ServerSwitch, "view">;
  readonly storage: { measure(): Promise<StorageReport> };
}

/** Of what the app runs on; null where it is not part of it. */
export function readVersions() {
  const { node, electron = null, chrome = null } = process.versions;
  return hostVersionsSchema.parse({ node, electron, chromium: chrome });
}

/**
 * What helps to find a fault, without anything private. Each field is a number, a word of a fixed list or a version: names,
 * addresses, paths, errors and logs have no place in it, whatever they are.
 */
export async function readDiagnostics(parts: DiagnosticsDeps): Promise<Diagnostics> {
  const { service, build, connections, server, storage } = parts;
  const { batches } = service.batches.list({ limit: Number.POSITIVE_INFINITY, trials: true });
  const [drafts, connected, view, { parts: stored }] = await Promise.all([
    build.drafts.list(),
    connections.list(),
    server.view(),
    storage.measure(),
  ]);
  const { controls } = view;
  return diagnosticsSchema.parse({
    sheaf: parts.version,
    host: parts.host,
    ...readVersions(),
    platform: process.platform,
    arch: process.arch,
    // What follows the numbers is anybody's text.
    system: /^\d+(\.\d+)*/.exec(release())?.[0] ?? "0",
    memoryMb: Math.round(totalmem() / 1e6),
    batches: countBy(batches.map(({ status }) => status)),
    waitingBatches: batches.filter(({ status, waiting }) => waiting !== null && !finalStatuses.has(status)).length,
    lines: batches.reduce((sum, { counts }) => sum + counts.total, 0),
    files: service.files.list().length,
    drafts: drafts.length,
    connections: countBy(connected.map(({ adapter }) => adapter)),
    presets: countBy(
      connected.map(({ preset }) => (presets.some(({ id }) => id === preset) ? (preset ?? "") : "none")),
    ),
    storageMb: Object.fromEntries(stored.map(({ name, bytes }) => [name, Math.ceil(bytes / 1e6)])),
    keys: view.secrets.kind,
    server: view.server.running,
    mcp: view.mcp.enabled,
    tier: view.server.tier,
    dialect: view.server.dialect,
    engine: controls.engine.kind,
    pace: controls.pace,
    faults: !isDeepStrictEqual(controls.faults, faultSettingsSchema.parse({})),
    clockAheadMs: controls.clock.ahead,
    health: service.readHealth(),
    notices: service.notices.list().map(({ code, count }) => ({ code, count })),
  });
}

function countBy<Word extends string>(words: readonly Word[]): Partial<Record<Word, number>> {
  const counts: Partial<Record<Word, number>> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
