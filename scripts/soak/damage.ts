import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Service } from "#service";
import { createSystemMachine } from "#service/machine";
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
  /** The hash of each file's bytes by its id; the answers of the running batch are not among them. */
  readonly files: ReadonlyMap<string, string>;
  readonly batches: ReadonlyMap<string, { readonly status: string; readonly requests: readonly string[] }>;
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

/** Makes a folder with uploads and batches: completed, cancelled, and one that a process left in the middle. */
export async function makeSmallFolder(): Promise<SmallFolder> {
  const dataDir = join(mkdtempSync(join(tmpdir(), "sheaf-small-")), "data");
  const held = createNotingEngine();
  const service = await openFolder(dataDir, {
    ...held,
    complete: (call) => {
      const waits = call.line?.customId.startsWith("hold") ?? false;
      return waits ? machine.sleep(1e9, call.signal).then(() => held.complete(call)) : held.complete(call);
    },
  });
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
  const requests = {
    first: ["a-1", "a-2", "a-3"],
    second: ["b-1", "b-2"],
    stopped: ["c-1", "hold-c"],
    running: ["d-1", "d-2", "hold-d"],
  };
  await upload(inputOf(["unused"]));
  const [first, second, stopped, running] = await Promise.all(Object.values(requests).map(submit));
  if (first === undefined || second === undefined || stopped === undefined || running === undefined)
    throw new Error("No batches.");
  const answered = async (id: string, count: number) => {
    while ((service.batches.get(id)?.counts.completed ?? 0) < count) await machine.sleep(5);
  };
  await answered(stopped, 1);
  await answered(running, 2);
  await service.batches.cancel(stopped);
  await service.batches.settled(first);
  await service.batches.settled(second);
  // The results are looked at, so that there is all that is made for that.
  for (const id of [first, second]) await service.results.page(id, 0, 10);
  await service.close(0);

  const again = await openFolder(dataDir, {
    ...held,
    complete: (call) => machine.sleep(1e9, call.signal).then(() => held.complete(call)),
  });
  await again.batches.settled(stopped);
  const files = new Map<string, string>();
  const rows = new Map<string, readonly string[]>();
  for (const { id } of again.files.list()) files.set(id, hashOf(await readFile(again, id)));
  for (const id of [first, second, stopped]) rows.set(id, await readRows(again, id));
  const open = again.batches.get(running);
  for (const id of [open?.outputFileId, open?.errorFileId]) if (id) files.delete(id);
  const ids = new Map(Object.entries({ first, second, stopped, running }));
  const batches = new Map(
    Object.entries(requests).map(([name, asked]) => {
      const id = ids.get(name) ?? "";
      return [id, { status: again.batches.get(id)?.status ?? "", requests: asked }];
    }),
  );
  await again.close(0);
  for (const name of readdirSync(dataDir)) if (/^(owner|lock|reserve)/.test(name)) rmSync(join(dataDir, name));
  const remove = () => rmSync(dirname(dataDir), { recursive: true, force: true });
  return { dataDir, files, batches, rows, running, remove };
}

/** The rows of a batch, as JSON. */
export async function readRows(service: Service, id: string): Promise<string[]> {
  const { rows } = await service.results.page(id, 0, 10);
  return rows.map((row) => JSON.stringify(row));
}

/** Each byte of small files flipped (of larger ones a sample), and cuts, zeros, missing and exchanged pieces. */
export function listDamages({ dataDir }: SmallFolder, random: Random): Damage[] {
  const names = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dataDir.length + 1));
  const damages: Damage[] = [];
  for (const path of names) {
    const { length } = readFileSync(join(dataDir, path));
    const step = Math.max(1, Math.floor(length / 2_000));
    for (let at = random.below(step); at < length; at += step) {
      const bit = 1 << random.below(8);
      damages.push({ what: `bit ${bit} of byte ${at} flipped`, path, apply: (bytes) => flip(bytes, at, bit) });
    }
    for (let at = 0; at < length; at += Math.max(1, Math.floor(length / 40))) {
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
    for (const [id, { status }] of small.batches) {
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
