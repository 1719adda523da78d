import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSystemMachine } from "#service/machine";
import { createHttpApp } from "../../src/main/service/http/index.ts";
import { drawCrashState, replayFiles } from "./disk/crash-state.ts";
import type { Operation } from "./disk/disk-log.ts";
import { disk } from "./disk/patched-disk.ts";
import { createRandom, type Random } from "./random.ts";
import {
  createNotingEngine,
  endpoint,
  hashOf,
  inputOf,
  openFolder,
  readFile,
  readLines,
  settleAll,
  within,
} from "./service-run.ts";

/** What a client was told, and how many operations the disk had by then. */
type Acknowledged = { readonly count: number; readonly at: number } & (
  | { readonly kind: "uploaded"; readonly id: string; readonly sha256: string }
  | { readonly kind: "created"; readonly id: string; readonly key: string; readonly input: string }
  | { readonly kind: "cancelled"; readonly id: string }
  /** How many of its lines were answered. */
  | { readonly kind: "counted"; readonly id: string; readonly answered: number }
  | { readonly kind: "removed"; readonly id: string }
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
  /** Files that a client asked to remove, and when. */
  readonly removals: ReadonlyMap<string, number>;
  /** Removes its folder. */
  remove(): void;
}

/** Lines may be lost that were answered so long before, in milliseconds: a second, and what a sync may take on a busy computer. */
const mostLost = 2_500;
/** How long a start or the rest of all batches may take, in milliseconds. */
const longest = 15_000;

/** Runs the service under clients that upload, submit, cancel and remove, restarts it in the middle, and records it all. */
export async function recordRun(seed: number, duration: number): Promise<RecordedRun> {
  const random = createRandom(seed);
  const machine = createSystemMachine();
  const root = join(mkdtempSync(join(tmpdir(), "sheaf-crash-")), "data");
  mkdirSync(root);
  const operations = disk.record(root);
  const acknowledged: Acknowledged[] = [];
  const requests = new Map<string, readonly string[]>();
  const uploads = new Set<string>();
  const removals = new Map<string, number>();
  const now = () => ({ count: operations.length, at: performance.now() });

  for (const part of [1, 2]) {
    const service = await openFolder(
      root,
      createNotingEngine(() => 5 + random.below(60)),
    );
    const app = createHttpApp({ service, apiKey: null });
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    const end = machine.monotonic() + duration / 2;
    const ask = async (method: string, path: string, body?: object | FormData) => {
      const json = body !== undefined && !(body instanceof FormData);
      const response = await fetch(url + path, {
        method,
        ...(json && { headers: { "content-type": "application/json" } }),
        ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      });
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
        const form = new FormData();
        form.set("purpose", "batch");
        form.set("file", new File([Uint8Array.from(input)], `${key}.jsonl`));
        const file = await ask("POST", "/v1/files", form);
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
        if (random.chance(0.25) && (await ask("POST", `/v1/batches/${id}/cancel`)) !== null) {
          acknowledged.push({ ...now(), kind: "cancelled", id });
        }
      }
    };
    await Promise.all([1, 2, 3].map(act));
    await app.close();
    await service.close(part === 1 ? 0 : 3_000);
  }
  const remove = () => rmSync(dirname(root), { recursive: true, force: true });
  const run = { root, operations: [...operations], acknowledged, requests, uploads, removals, remove };
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

/** Draws one crash state of a run, and returns all that is wrong with what the service makes of it: nothing, that is to say. */
export async function tryCrashState(run: RecordedRun, seed: number): Promise<string[]> {
  const random = createRandom(seed);
  const { operations, root, acknowledged } = run;
  const count = drawMoment(run, random);
  const folder = mkdtempSync(join(tmpdir(), "sheaf-state-"));
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  try {
    const habits = drawCrashState({ operations, root }, count, random, dataDir);
    // A process of before that can't be found is waited for: its own tests are about that.
    for (const name of readdirSync(dataDir)) if (name.startsWith("owner")) rmSync(join(dataDir, name));
    const known = acknowledged.filter((one) => one.count <= count);
    const problems = await check(run, known, dataDir, operations[count - 1]?.at ?? 0).catch((error: unknown) => [
      `thrown: ${error instanceof Error ? error.stack : String(error)}`,
    ]);
    if (problems.length === 0) return [];
    // No two runs are the same: what the disk had is what can be tried again.
    const kept = mkdtempSync(join(tmpdir(), "sheaf-failed-"));
    const again = createRandom(seed);
    drawCrashState({ operations, root }, drawMoment(run, again), again, kept);
    const where = `seed ${seed}, operation ${count}, ${habits.names} ${habits.bytes}, in ${kept}`;
    return problems.map((problem) => `${problem} (${where})`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Half of them just after an answer. */
function drawMoment({ operations, acknowledged }: RecordedRun, random: Random): number {
  const after = acknowledged.filter(({ kind }) => kind !== "counted");
  if (random.chance(0.5) && after.length > 0) return random.oneOf(after).count;
  return random.below(operations.length + 1);
}

async function check(run: RecordedRun, known: readonly Acknowledged[], dataDir: string, at: number): Promise<string[]> {
  const problems: string[] = [];
  const engine = createNotingEngine();
  const machine = createSystemMachine();
  const written = linesOf(run);
  const service = await within(openFolder(dataDir, engine), longest, machine, "The start hangs");
  try {
    const removedBy = (id: string) => run.removals.has(id);
    for (const one of known) {
      if (one.kind === "uploaded" && !removedBy(one.id)) {
        const bytes = await readFile(service, one.id).catch((error: unknown) => String(error));
        if (typeof bytes === "string") problems.push(`lost: the upload ${one.id}: ${bytes}`);
        else if (hashOf(bytes) !== one.sha256) problems.push(`wrong bytes: the upload ${one.id}`);
      }
      if (one.kind === "removed" && service.files.get(one.id) !== undefined)
        problems.push(`back again: the file ${one.id}`);
      if (one.kind === "created" && service.batches.get(one.id)?.inputFileId !== one.input)
        problems.push(`lost: the batch ${one.id}`);
      if (one.kind === "cancelled") {
        const status = service.batches.get(one.id)?.status ?? "gone";
        if (!["cancelling", "cancelled"].includes(status))
          problems.push(`lost: the cancel of ${one.id}, which is ${status}`);
      }
    }
    for (const file of service.files.list()) {
      if (file.purpose !== "batch") continue;
      const bytes = await readFile(service, file.id).catch((error: unknown) => String(error));
      if (typeof bytes !== "string" && !run.uploads.has(hashOf(bytes)))
        problems.push(`wrong bytes: the file ${file.id}`);
    }
    const hanging = await settleAll(service, longest);
    for (const id of hanging) problems.push(`hangs: the batch ${id}, ${service.batches.get(id)?.status}`);

    const cancelled = new Set(known.flatMap((one) => (one.kind === "cancelled" ? [one.id] : [])));
    const asked = new Set(engine.asked);
    if (asked.size !== engine.asked.length) problems.push("twice: a line was asked more than once after the start");
    const keys = new Set<string>();
    for (const { id, metadata, status, outputFileId, errorFileId, counts } of service.batches.list({ limit: 10_000 })
      .batches) {
      if (hanging.includes(id)) continue;
      const key = metadata.key ?? "";
      if (keys.has(key)) problems.push(`twice: the batch of ${key}`);
      keys.add(key);
      const requests = run.requests.get(key);
      if (requests === undefined) {
        problems.push(`never asked for: the batch ${id}`);
        continue;
      }
      const read = (file: string | null) =>
        readLines(service, file).catch((error: unknown) => {
          problems.push(`not whole: the file ${file} of ${id}, ${status}: ${error}`);
          return [];
        });
      const [output, errors] = [await read(outputFileId), await read(errorFileId)];
      const lines = [...output, ...errors].map((line) => JSON.parse(line) as { custom_id: string });
      const ids = lines.map((line) => line.custom_id).sort();
      const isCancelled = status === "cancelled";
      if (status !== "completed" && !isCancelled) problems.push(`the batch ${id} is ${status}`);
      if (!isSame(ids, [...requests].sort()) && !(isCancelled && ids.length === 0 && counts.total === 0)) {
        problems.push(`lines: the batch ${id} (${status}) has ${ids.length} of ${requests.length}: not each once`);
      }
      if (counts.completed !== output.length)
        problems.push(`counts: the batch ${id} counts ${counts.completed} of ${output.length}`);
      for (const line of output) {
        const { custom_id } = JSON.parse(line) as { custom_id: string };
        if (!asked.has(`${id} ${custom_id}`) && !written.has(line))
          problems.push(`wrong bytes: a line of ${id}: ${line.slice(0, 80)}`);
      }
      const kept = output.filter((line) => written.has(line)).length;
      for (const one of known) {
        if (one.kind !== "counted" || one.id !== id || at - one.at < mostLost || kept >= one.answered) continue;
        problems.push(
          `lost: ${one.answered - kept} answers of ${id} that were counted ${Math.round(at - one.at)} ms before`,
        );
        break;
      }
      if (cancelled.has(id) && engine.asked.some((line) => line.startsWith(`${id} `))) {
        problems.push(`asked: the batch ${id}, whose cancel was answered`);
      }
    }
    for (const notice of service.notices.list()) {
      if (!["journal_damaged", "files_quarantined"].includes(notice.code)) problems.push(`notice: ${notice.message}`);
    }
  } finally {
    await within(service.close(0), longest, machine, "The end hangs");
  }
  return problems;
}

const allLines = new WeakMap<RecordedRun, Set<string>>();

/** All lines of answers that were ever written in a run. */
function linesOf(run: RecordedRun): ReadonlySet<string> {
  let lines = allLines.get(run);
  if (lines === undefined) {
    lines = new Set();
    for (const [path, content] of replayFiles(run)) {
      if (path.startsWith("files")) for (const line of content.toString().split("\n")) lines.add(line);
    }
    allLines.set(run, lines);
  }
  return lines;
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((item, at) => item === other[at]);
