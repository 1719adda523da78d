import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openHttpApp } from "#main/http";
import { filesOf } from "#main/storage";
import { createSystemMachine } from "../../src/main/base/clock/machine.ts";
import { callApi, uploadOf } from "./client.ts";
import { replayFiles } from "./disk/crash-state.ts";
import type { Operation } from "./disk/disk-log.ts";
import { disk } from "./disk/patched-disk.ts";
import { createRandom } from "./random.ts";
import { createNotingEngine, endpoint, hashOf, inputOf, openFolder } from "./service-run.ts";

/** What a client was told, and how many operations the disk had by then. */
export type Acknowledged = { readonly count: number; readonly at: number } & (
  | { readonly kind: "uploaded"; readonly id: string; readonly sha256: string }
  | { readonly kind: "created"; readonly id: string; readonly key: string; readonly input: string }
  | { readonly kind: "cancelled"; readonly id: string }
  /** How many of its lines were answered. */
  | { readonly kind: "counted"; readonly id: string; readonly answered: number }
  | { readonly kind: "removed"; readonly id: string }
  /** `from`: how many operations the disk had when that began. */
  | { readonly kind: "deleted" | "restored"; readonly id: string; readonly from: number }
);

/** A run of the service, as its clients and its disk saw it. */
export interface RecordedRun {
  readonly root: string;
  readonly operations: readonly Operation[];
  readonly acknowledged: readonly Acknowledged[];
  /** The requests of each batch by its key, whether or not its creation was answered. */
  readonly requests: ReadonlyMap<string, readonly string[]>;
  /** The hashes of all that was uploaded, whether or not that was answered. */
  readonly uploads: ReadonlySet<string>;
  /** Batches that were to be cancelled, whether or not that was answered. */
  readonly cancels: ReadonlySet<string>;
  /** Files and batches that were to be removed, by how many operations the disk had when that began. */
  readonly removals: ReadonlyMap<string, number>;
  /** Removes its folder. */
  remove(): void;
}

/**
 * Runs the service under clients that upload, submit, cancel, delete, restore and remove, while its journal is written anew; removes what has ended by a
 * limit, restarts it in the middle, and records it all.
 */
export async function recordRun(seed: number, duration: number): Promise<RecordedRun> {
  const random = createRandom(seed);
  const machine = createSystemMachine();
  const root = join(mkdtempSync(join(tmpdir(), "sheaf-crash-")), "data");
  mkdirSync(root);
  const operations = disk.record(root);
  const acknowledged: Acknowledged[] = [];
  const requests = new Map<string, readonly string[]>();
  const uploads = new Set<string>();
  const cancels = new Set<string>();
  const removals = new Map<string, number>();
  const now = () => ({ count: operations.length, at: performance.now() });

  for (const part of [1, 2]) {
    const service = await openFolder(
      root,
      createNotingEngine(() => 5 + random.below(60)),
    );
    const app = await openHttpApp({ service, apiKey: null });
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    const end = machine.monotonic() + duration / 2;
    const ask = async (method: string, path: string, body?: object | FormData) => {
      const response = await callApi(url + path, method, body);
      const answer: Record<string, unknown> = await response.json();
      return response.ok ? answer : null;
    };
    /** A client that does one thing after the other. */
    const act = async (client: number) => {
      for (let round = 0; machine.monotonic() < end; round++) {
        const key = `${part}-${client}-${round}`;
        const ids = Array.from({ length: 1 + random.below(60) }, (_, at) => `${key}-${at}`);
        const input = inputOf(ids);
        uploads.add(hashOf(input));
        const file = await ask("POST", "/v1/files", uploadOf(input, `${key}.jsonl`));
        if (file === null) continue;
        acknowledged.push({ ...now(), kind: "uploaded", id: String(file.id), sha256: hashOf(input) });
        if (random.chance(0.2)) {
          removals.set(String(file.id), operations.length);
          const removed = await ask("DELETE", `/v1/files/${file.id}`);
          if (removed !== null) acknowledged.push({ ...now(), kind: "removed", id: String(file.id) });
          continue;
        }
        requests.set(key, ids);
        const about = { input_file_id: file.id, endpoint, completion_window: "24h", metadata: { key } };
        const batch = await ask("POST", "/v1/batches", about);
        if (batch === null) continue;
        const id = String(batch.id);
        acknowledged.push({ ...now(), kind: "created", id, key, input: String(file.id) });
        const polls = random.below(12);
        for (let poll = 0; poll < polls; poll++) {
          await machine.sleep(random.below(60));
          const asked = performance.now();
          const seen = (await ask("GET", `/v1/batches/${id}`)) as { request_counts: { completed: number } } | null;
          if (seen === null) throw new Error(`The batch ${id} is gone.`);
          acknowledged.push({
            count: operations.length,
            at: asked,
            kind: "counted",
            id,
            answered: seen.request_counts.completed,
          });
        }
        if (random.chance(0.25)) {
          cancels.add(id);
          const cancelled = await ask("POST", `/v1/batches/${id}/cancel`);
          if (cancelled !== null) acknowledged.push({ ...now(), kind: "cancelled", id });
        }
        if (random.chance(0.3)) {
          await service.batches.settled(id);
          let from = operations.length;
          await service.batches.moveToDeleted(id);
          acknowledged.push({ ...now(), kind: "deleted", id, from });
          if (random.chance(0.3)) continue;
          from = operations.length;
          await service.batches.restore(id);
          acknowledged.push({ ...now(), kind: "restored", id, from });
        }
        if (random.chance(0.3)) {
          await service.batches.settled(id);
          const batch = service.batches.get(id);
          const files = batch === undefined ? [] : filesOf(batch);
          for (const one of [id, ...files]) removals.set(one, operations.length);
          if ((await ask("DELETE", `/sheaf/batches/${id}`)) === null) throw new Error(`The batch ${id} stays.`);
          for (const one of [id, ...files]) acknowledged.push({ ...now(), kind: "removed", id: one });
        }
      }
    };
    const rewrite = async () => {
      while (machine.monotonic() < end) {
        await machine.sleep(100 + random.below(200));
        await service.confirmDamage();
      }
    };
    await Promise.all([...[1, 2, 3].map(act), rewrite()]);
    if (part === 1) {
      for (const { batch } of service.batches.listDeleted())
        for (const id of [batch.id, ...filesOf(batch)]) removals.set(id, operations.length);
      const all = [...service.files.list(), ...service.batches.list({ limit: 10_000 }).batches];
      for (const { id } of all) if (!removals.has(id)) removals.set(id, operations.length);
      await service.retention.setLimits({ age: duration / 4, bytes: null });
      for (const { id } of service.retention.removed) acknowledged.push({ ...now(), kind: "removed", id });
    }
    await app.close();
    await service.close(part === 1 ? 0 : 3_000);
  }
  const remove = () => rmSync(dirname(root), { recursive: true, force: true });
  const run = { root, operations: [...operations], acknowledged, requests, uploads, cancels, removals, remove };
  disk.record(join(root, "..", "no longer"));
  checkRecording(run);
  return run;
}

/** What was recorded is what is in the folder: nothing was done past the recorder. */
function checkRecording({ root, operations }: RecordedRun): void {
  const replayed = replayFiles({ operations, root });
  const names = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const differ = names.filter((name) => !replayed.get(name)?.equals(readFileSync(join(root, name))));
  const gone = [...replayed.keys()].filter((name) => !names.includes(name));
  if (differ.length + gone.length > 0) throw new Error(`Not recorded: ${[...differ, ...gone].join(", ")}.`);
}
