import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { examineFolder, repairFolder } from "#main/doctor";
import { parseJson, readRecords, sealLine } from "#main/storage";
import { createSystemMachine } from "../../src/main/base/clock/machine.ts";
import { createSilentLogger } from "../../src/main/base/logger.ts";
import { answerIn, readRows, type SmallFolder } from "./damage.ts";
import { drawCrashState } from "./disk/crash-state.ts";
import type { Operation } from "./disk/disk-log.ts";
import { disk } from "./disk/patched-disk.ts";
import { createRandom } from "./random.ts";
import { createNotingEngine, hashOf, openFolder, readFile, within } from "./service-run.ts";

const machine = createSystemMachine();
const parts = { machine, logger: createSilentLogger() };
/** How long a start, a repair or an end may take, in milliseconds. */
const longest = 15_000;

/** What is damaged in the journal: a line, or all of it next to the one before. */
const losses = ["line", "journal"] as const;
/** What is done about it. */
const acts = { repair, start } as const;
type Act = keyof typeof acts;

/** A start or a repair in a damaged folder, as its disk saw it. */
export interface RecordedRecovery {
  readonly small: SmallFolder;
  readonly act: Act;
  readonly loss: (typeof losses)[number];
  readonly root: string;
  readonly operations: readonly Operation[];
  /** Operations that made the damaged folder, all of which are on the disk. */
  readonly syncedAt: number;
  /** Bytes that are not as they were written: they are kept, at their place or in another file. */
  readonly damaged: readonly Buffer[];
  /** The same of a ledger: a repair keeps it; when the answers are next looked at it is made anew, without a copy. */
  readonly ledger: Buffer;
  /** Removes its folder. */
  remove(): void;
}

/** Records each act about each loss in a copy of the folder. */
export async function recordRecoveries(small: SmallFolder): Promise<RecordedRecovery[]> {
  const recorded: RecordedRecovery[] = [];
  for (const loss of losses) {
    for (const act of Object.keys(acts) as Act[]) {
      const root = join(mkdtempSync(join(tmpdir(), "sheaf-recovery-")), "data");
      const operations = disk.record(root);
      cpSync(small.dataDir, root, { recursive: true });
      const [ledger, damaged] = damage(small, root, loss);
      const syncedAt = operations.length;
      await acts[act](root);
      const remove = () => rmSync(dirname(root), { recursive: true, force: true });
      recorded.push({ small, act, loss, root, operations: [...operations], syncedAt, damaged, ledger, remove });
      disk.record(join(root, "..", "no longer"));
    }
  }
  return recorded;
}

async function repair(dataDir: string): Promise<void> {
  await repairFolder(dataDir, parts);
}

async function start(dataDir: string): Promise<void> {
  const service = await openFolder(dataDir, createNotingEngine());
  await service.close(0);
}

/** Damages something of each kind. Returns what a ledger has then, and what the other damaged files have that are to be kept. */
function damage({ batches, running }: SmallFolder, root: string, loss: (typeof losses)[number]): [Buffer, Buffer[]] {
  const [first = "", second = ""] = batches.keys();
  const at = (...path: string[]) => join(root, ...path);
  const write = (path: string, bytes: Buffer) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return bytes;
  };
  const entries = readFileSync(at("answers", first));
  const ledger = write(at("answers", first), entries.fill(0, entries.indexOf("\n") + 60));
  const index = readFileSync(at("indexes", second));
  write(at("indexes", second), flip(index, index.length - 1));
  const lines = [1, 2, 3].map((number) => sealLine({ number }));
  const kept = [
    write(at("files", "file-0123"), Buffer.from("No record names it.")),
    write(at("verifications.jsonl"), Buffer.concat(lines.map((line, nth) => (nth === 1 ? flip(line, 5) : line)))),
    write(at("drafts", "draft_1.json"), flip(sealLine({ sealed: 1, name: "A draft" }), 20)),
    write(at("server.json"), flip(sealLine({ sealed: 1, port: 1 }), 15)),
  ];
  const journal = toConnected(readFileSync(at("journal.jsonl")), running);
  const seq = journal.length;
  const lost = flip(sealLine({ kind: "file_removed", id: "file-0", seq: seq + 2 }), 3);
  const open = sealLine({ kind: "mcp_endpoint", enabled: true, seq: seq + 1 });
  const last = sealLine({ kind: "mark", synced: seq, seq: seq + 3 });
  if (loss === "line") {
    write(at("journal.jsonl"), Buffer.concat([...journal, open, lost, last]));
    return [ledger, [...kept, lost.subarray(0, -1)]];
  }
  const before = write(at("journal.jsonl.previous"), Buffer.concat([...journal, open]));
  return [ledger, [...kept, write(at("journal.jsonl"), Buffer.from(before.toString("base64")))]];
}

/** The lines of a journal in which a batch belongs to a connection: what was done for it may have been paid. They are counted anew. */
function toConnected(journal: Buffer, batchId: string): Buffer[] {
  const lines = journal.toString().trimEnd().split("\n");
  return lines.map((line, nth) => {
    const { crc: _, ...change } = parseJson(line) as { crc: string; record?: { id: string } };
    const isIts = change.record?.id === batchId;
    return sealLine({ ...change, ...(isIts && { record: { ...change.record, connection: "conn_1" } }), seq: nth + 1 });
  });
}

function flip(bytes: Buffer, at: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped[at] = (flipped[at] ?? 0) ^ 1;
  return flipped;
}

/** Draws one crash state of a recovery, recovers again, and returns what is wrong then. */
export async function tryRecovery(recorded: RecordedRecovery, seed: number): Promise<string[]> {
  const random = createRandom(seed);
  const { act, loss, operations, syncedAt } = recorded;
  const count = syncedAt + random.below(operations.length - syncedAt + 1);
  const folder = mkdtempSync(join(tmpdir(), "sheaf-state-"));
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  try {
    const habits = drawCrashState(recorded, count, random, dataDir);
    for (const name of readdirSync(dataDir)) if (name.startsWith("owner")) rmSync(join(dataDir, name));
    const isRepaired = act === "repair" || random.chance(0.5);
    const problems = await check(recorded, dataDir, isRepaired).catch((error: unknown) => [
      `thrown: ${error instanceof Error ? error.stack : String(error)}`,
    ]);
    const where = `${act}, ${loss}, seed ${seed}, operation ${count} of ${syncedAt} to ${operations.length}, ${habits.names} ${habits.bytes}`;
    return problems.map((problem) => `${problem} (${where})`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function check(
  { small, damaged, ledger }: RecordedRecovery,
  dataDir: string,
  isRepaired: boolean,
): Promise<string[]> {
  const problems: string[] = [];
  if (isRepaired) {
    await within(repair(dataDir), longest, machine, "The repair hangs");
    const { findings } = await examineFolder(dataDir, machine);
    for (const { isDamage, path, message } of findings) {
      if (isDamage) problems.push(`not repaired: ${path}: ${message}`);
    }
  }
  const engine = createNotingEngine();
  const service = await within(openFolder(dataDir, engine), longest, machine, "The start hangs");
  try {
    for (const [id, hash] of small.files) {
      const bytes = await readFile(service, id).catch((error: unknown) => String(error));
      if (typeof bytes === "string") problems.push(`lost: the file ${id}: ${bytes}`);
      else if (hashOf(bytes) !== hash) problems.push(`wrong bytes: the file ${id}`);
    }
    for (const [id, status] of small.batches) {
      const found = service.batches.get(id)?.status ?? "gone";
      if (found !== status) problems.push(`the batch ${id} was ${status}, is ${found}`);
    }
    for (const [id, rows] of small.rows) {
      const found = await readRows(service, id).catch((error: unknown) => [String(error)]);
      const isSame = rows.every((row, at) => answerIn(row) === answerIn(found[at] ?? ""));
      if (!isSame) problems.push(`wrong answers: ${found.join(" ")}`);
    }
    if (service.batches.get(small.running)?.unclear !== true)
      problems.push("not asked for: a batch that may have been paid");
    if (engine.asked.length > 0) problems.push(`asked: ${engine.asked.join(", ")}`);
    if (readRecords(dataDir).rows.mcpEnabled) problems.push("open again: the MCP endpoint");
    const isDamaged = service.readHealth().includes("data_damaged");
    if (isDamaged === isRepaired)
      problems.push(isDamaged ? "not confirmed: the damage" : "confirmed by nobody: the damage");
  } finally {
    await within(service.close(0), longest, machine, "The end hangs");
  }
  const contents = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  for (const bytes of isRepaired ? [...damaged, ledger] : damaged) {
    if (!contents.some((content) => content.includes(bytes)))
      problems.push(`not kept: ${bytes.toString("latin1").slice(0, 60)}`);
  }
  return problems;
}
