import {
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine, Ids } from "#main/base";
import type { Service } from "#main/service";
import { createSystemMachine } from "../../src/main/base/clock/machine.ts";
import { createCountingIds } from "../../src/main/base/ids.ts";
import type { Random } from "./random.ts";
import {
  createNotingEngine,
  endpoint,
  hashOf,
  inputOf,
  openFolder,
  readFile,
  settleAll,
  within,
} from "./service-run.ts";

const machine = createSystemMachine();
/** How long a start, the rest of a batch or an end may take, in milliseconds. */
const longest = 15_000;

/** A small data folder, and what is known to be in it. */
export interface SmallFolder {
  readonly dataDir: string;
  /** What is kept free for a full disk: writing it took longer than reading all else. */
  readonly reserve: string;
  /** The hash of each file's bytes by its id; the answers of the running batch are not among them. */
  readonly files: ReadonlyMap<string, string>;
  /** The status of each batch. */
  readonly batches: ReadonlyMap<string, string>;
  /** The rows of the batches that have ended, as JSON. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
  /** The batch that runs, whose other lines may be asked. */
  readonly running: string;
  /** Removes it. */
  remove(): void;
}

/** One change of the bytes of one file; null for a file that is gone. */
export interface Damage {
  readonly what: string;
  readonly path: string;
  readonly apply: (bytes: Buffer) => Buffer | null;
}

/** Ids of the usual form that are the same in each run, so that a case can be named. */
function createRepeatableIds(): Ids {
  const ids = createCountingIds();
  return { create: (kind) => ids.create(kind).replace(/\d+$/, (count) => count.padStart(32, "0")) };
}

/** Makes a folder with uploads and batches: completed, cancelled, and one that a process left in the middle. */
export async function makeSmallFolder(): Promise<SmallFolder> {
  const root = mkdtempSync(join(tmpdir(), "sheaf-small-"));
  const dataDir = join(root, "data");
  const ids = createRepeatableIds();
  const noting = createNotingEngine();
  const holding = (holds: (customId: string) => boolean): Engine => ({
    ...noting,
    complete: async (call) => {
      if (holds(call.line?.customId ?? "")) await machine.sleep(1e9, call.signal);
      return noting.complete(call);
    },
  });
  const service = await openFolder(
    dataDir,
    holding((customId) => customId.startsWith("hold")),
    { ids },
  );
  const upload = async (bytes: Buffer) => {
    const chunks = async function* () {
      yield bytes;
    };
    const pending = await service.files.receive(chunks());
    return (await pending.store({ filename: "input.jsonl", purpose: "batch" })).id;
  };
  const submit = async (requests: readonly string[]) => {
    const inputFileId = await upload(inputOf(requests));
    return (await service.batches.create({ inputFileId, endpoint, completionWindow: "24h" })).id;
  };
  const requests = { ended: ["a-1", "a-2"], stopped: ["b-1", "hold-b"], running: ["c-1", "hold-c"] };
  await upload(inputOf(["unused"]));
  const ended = await submit(requests.ended);
  await service.batches.settled(ended);
  const stopped = await submit(requests.stopped);
  const running = await submit(requests.running);
  const answered = async (id: string, count: number) => {
    while ((service.batches.get(id)?.counts.completed ?? 0) < count) await machine.sleep(5);
  };
  await answered(stopped, 1);
  await answered(running, 1);
  await service.batches.cancel(stopped);
  // The results are looked at, so that there is all that is made for that.
  await service.results.page(ended, 0, 10);
  await service.close(0);

  const again = await openFolder(
    dataDir,
    holding(() => true),
    { ids },
  );
  await again.batches.settled(stopped);
  const files = new Map<string, string>();
  const rows = new Map<string, readonly string[]>();
  for (const { id } of again.files.list()) files.set(id, hashOf(await readFile(again, id)));
  for (const id of [ended, stopped]) rows.set(id, await readRows(again, id));
  const open = again.batches.get(running);
  for (const id of [open?.outputFileId, open?.errorFileId]) if (id) files.delete(id);
  const batches = new Map([ended, stopped, running].map((id) => [id, again.batches.get(id)?.status ?? ""]));
  await again.close(0);
  for (const name of readdirSync(dataDir)) if (/^(owner|lock)/.test(name)) rmSync(join(dataDir, name));
  const reserve = join(root, "reserve");
  renameSync(join(dataDir, "reserve"), reserve);
  const remove = () => rmSync(root, { recursive: true, force: true });
  return { dataDir, reserve, files, batches, rows, running, remove };
}

/** The rows of a batch, as JSON. */
export async function readRows(service: Service, id: string): Promise<string[]> {
  const { rows } = await service.results.page(id, 0, 10);
  return rows.map((row) => JSON.stringify(row));
}

/** Each byte flipped, each file cut before each byte, zeros from each byte on, and missing and exchanged files and lines. */
export function listDamages({ dataDir }: SmallFolder, random: Random): Damage[] {
  const names = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dataDir.length + 1))
    .sort();
  const damages: Damage[] = [];
  for (const path of names) {
    const { length } = readFileSync(join(dataDir, path));
    for (let at = 0; at < length; at++) {
      const bit = 1 << random.below(8);
      damages.push({ what: `bit ${bit} of byte ${at} flipped`, path, apply: (bytes) => flip(bytes, at, bit) });
      const end = Math.min(length, at + 1 + random.below(600));
      damages.push({ what: `cut at ${at}`, path, apply: (bytes) => bytes.subarray(0, at) });
      damages.push({ what: `zeros from ${at} to ${end}`, path, apply: (bytes) => Buffer.from(bytes).fill(0, at, end) });
    }
    damages.push({ what: "gone", path, apply: () => null });
    damages.push({ what: "nothing but zeros", path, apply: (bytes) => Buffer.alloc(bytes.length) });
    const others = names.filter(
      (name) => name !== path && name.split("/")[0] === path.split("/")[0] && path.includes("/"),
    );
    for (const other of others) {
      damages.push({ what: `the content of ${other}`, path, apply: () => readFileSync(join(dataDir, other)) });
    }
  }
  const lines = readFileSync(join(dataDir, "journal.jsonl"), "latin1").split("\n").slice(0, -1);
  const join1 = (chosen: readonly string[]) => () => Buffer.from(chosen.map((line) => `${line}\n`).join(""), "latin1");
  for (const [at, line] of lines.entries()) {
    const path = "journal.jsonl";
    const [before, after] = [lines.slice(0, at), lines.slice(at + 1)];
    damages.push({ what: `line ${at + 1} missing`, path, apply: join1([...before, ...after]) });
    damages.push({ what: `line ${at + 1} doubled`, path, apply: join1([...before, line, line, ...after]) });
    const [next, ...rest] = after;
    if (next !== undefined)
      damages.push({
        what: `lines ${at + 1} and ${at + 2} swapped`,
        path,
        apply: join1([...before, next, line, ...rest]),
      });
  }
  return damages;
}

function flip(bytes: Buffer, at: number, bit: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped[at] = (flipped[at] ?? 0) ^ bit;
  return flipped;
}

/** Starts the service on a copy of the folder with one damage, and returns all that is wrong with what it makes of it. */
export async function tryDamage(small: SmallFolder, { what, path, apply }: Damage): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "sheaf-damaged-"));
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  cpSync(small.dataDir, dataDir, { recursive: true });
  linkSync(small.reserve, join(dataDir, "reserve"));
  const changed = apply(readFileSync(join(dataDir, path)));
  if (changed === null) rmSync(join(dataDir, path));
  else writeFileSync(join(dataDir, path), changed);
  try {
    const problems = await check(small, dataDir, path === "journal.jsonl");
    return problems.map((problem) => `${problem} (${path}: ${what})`);
  } catch (error) {
    return [`thrown: ${error instanceof Error ? error.stack : String(error)} (${path}: ${what})`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function check(small: SmallFolder, dataDir: string, isJournal: boolean): Promise<string[]> {
  const problems: string[] = [];
  const engine = createNotingEngine();
  const service = await within(openFolder(dataDir, engine), longest, machine, "The start hangs").catch(
    (error: unknown) => {
      const { code } = error as { code?: string };
      if (code !== "journal_missing" || !isJournal) throw error;
      return null;
    },
  );
  if (service === null) return [];
  try {
    const hanging = await settleAll(service, longest);
    for (const id of hanging)
      problems.push(`hangs: the batch ${id}, ${service.batches.get(id)?.status}, ${service.batches.get(id)?.waiting}`);
    for (const file of service.files.list()) {
      // By an older record, where the journal lost the last one, a batch ends anew: its answers are compared below, line by line.
      if (isJournal && file.purpose === "batch_output") continue;
      const known = small.files.get(file.id);
      const bytes = await readFile(service, file.id).catch(() => null);
      if (bytes !== null && known !== undefined && hashOf(bytes) !== known)
        problems.push(`wrong bytes: the file ${file.id}`);
    }
    const isNoted = service.notices.list().length > 0;
    for (const [id, status] of small.batches) {
      const batch = service.batches.get(id);
      if (batch === undefined) {
        if (!isNoted) problems.push(`lost without a word: the batch ${id}`);
        continue;
      }
      const isRunning = id === small.running;
      if (!isRunning && batch.status !== status && !isNoted)
        problems.push(`the batch ${id} was ${status}, is ${batch.status}`);
      const asked = engine.asked.filter((line) => line.startsWith(`${id} `));
      if (!isRunning && asked.length > 0 && !isNoted)
        problems.push(`asked again: ${asked.length} lines of ${id}, which was ${status}`);
      if (new Set(asked).size !== asked.length) problems.push(`asked twice: lines of ${id}`);
      if (isRunning) continue;
      // An older version of its record: it was asked again.
      if (asked.length > 0) continue;
      const rows = await readRows(service, id).catch(() => null);
      for (const [at, row] of (rows ?? []).entries()) {
        // Its request is not compared: a damaged one is shown as such.
        const answer = answerIn(row);
        if (answer !== null && answer !== answerIn(small.rows.get(id)?.[at] ?? ""))
          problems.push(`wrong answer: ${row}`);
      }
    }
  } finally {
    await within(service.close(0), longest, machine, "The end hangs");
  }
  return problems;
}

/** The answer that a row shows; null where it shows none. */
export function answerIn(row: string): string | null {
  return /"answer":"(To [^"]*)"/.exec(row)?.[1] ?? null;
}
