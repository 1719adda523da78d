import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkFolder, type Expected } from "./check-folder.ts";
import { drawCrashState, replayAll } from "./disk/crash-state.ts";
import { createRandom, type Random } from "./random.ts";
import type { RecordedRun } from "./record-run.ts";

/** Lines may be lost that were answered so long before, in milliseconds: a second, and what a sync may take on a busy computer. */
const mostLost = 2_500;

/** Draws one crash state of a run, and returns all that is wrong with what the service makes of it: nothing, that is to say. */
export async function tryCrashState(run: RecordedRun, seed: number): Promise<string[]> {
  const random = createRandom(seed);
  const { operations, root } = run;
  const count = drawMoment(run, random);
  const folder = mkdtempSync(join(tmpdir(), "sheaf-state-"));
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  try {
    const habits = drawCrashState({ operations, root }, count, random, dataDir);
    // A process of before that can't be found is waited for: its own tests are about that.
    for (const name of readdirSync(dataDir)) if (name.startsWith("owner")) rmSync(join(dataDir, name));
    const problems = await checkFolder(dataDir, expect(run, count)).catch((error: unknown) => [
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

/** What must be there after the first `count` operations. */
function expect(run: RecordedRun, count: number): Expected {
  const at = run.operations[count - 1]?.at ?? 0;
  const mayBeGone = (id: string) => (run.removals.get(id) ?? count) < count;
  const uploads = new Map<string, string>();
  const batches = new Map<string, string>();
  const cancelled = new Set<string>();
  const removed = new Set<string>();
  const counted = new Map<string, number>();
  const deletions = new Map<string, boolean>();
  for (const one of run.acknowledged) {
    // What was asked for and not answered may be done or not.
    if ((one.kind === "deleted" || one.kind === "restored") && one.from < count) {
      if (one.count <= count && !mayBeGone(one.id)) deletions.set(one.id, one.kind === "deleted");
      else deletions.delete(one.id);
    }
    if (one.count > count) continue;
    if (one.kind === "removed") removed.add(one.id);
    if (one.kind === "uploaded" && !mayBeGone(one.id)) uploads.set(one.id, one.sha256);
    if (one.kind === "created" && !mayBeGone(one.id)) batches.set(one.id, one.input);
    if (one.kind === "cancelled") cancelled.add(one.id);
    if (one.kind === "counted" && at - one.at >= mostLost)
      counted.set(one.id, Math.max(one.answered, counted.get(one.id) ?? 0));
  }
  const written = linesOf(run);
  return {
    uploads,
    sent: run.uploads,
    batches,
    requestsOf: ({ metadata }) => run.requests.get(metadata.key ?? ""),
    cancelled,
    cancels: run.cancels,
    removed,
    counted,
    deletions,
    isWritten: (line) => written.has(line),
    notices: ["journal_damaged", "files_quarantined"],
  };
}

const allLines = new WeakMap<RecordedRun, Set<string>>();

/** All lines of answers that were ever written in a run. */
function linesOf(run: RecordedRun): ReadonlySet<string> {
  let lines = allLines.get(run);
  if (lines === undefined) {
    lines = new Set(replayAll(run).flatMap((content) => content.toString().split("\n")));
    allLines.set(run, lines);
  }
  return lines;
}
