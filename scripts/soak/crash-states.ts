import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSystemMachine } from "#service/machine";
import { drawCrashState, replayAll } from "./disk/crash-state.ts";
import { createRandom, type Random } from "./random.ts";
import type { Acknowledged, RecordedRun } from "./record-run.ts";
import { createNotingEngine, hashOf, openFolder, readFile, readLines, settleAll, within } from "./service-run.ts";

/** Lines may be lost that were answered so long before, in milliseconds: a second, and what a sync may take on a busy computer. */
const mostLost = 2_500;
/** How long a start or the rest of all batches may take, in milliseconds. */
const longest = 15_000;

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
    const problems = await check(run, known, dataDir, count).catch((error: unknown) => [
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

async function check(run: RecordedRun, known: readonly Acknowledged[], dataDir: string, count: number) {
  const at = run.operations[count - 1]?.at ?? 0;
  const problems: string[] = [];
  const engine = createNotingEngine();
  const machine = createSystemMachine();
  const written = linesOf(run);
  const service = await within(openFolder(dataDir, engine), longest, machine, "The start hangs");
  try {
    const mayBeGone = (id: string) => (run.removals.get(id) ?? count) < count;
    for (const one of known) {
      if (one.kind === "uploaded" && !mayBeGone(one.id)) {
        const bytes = await readFile(service, one.id).catch((error: unknown) => String(error));
        if (typeof bytes === "string") problems.push(`lost: the upload ${one.id}: ${bytes}`);
        else if (hashOf(bytes) !== one.sha256) problems.push(`wrong bytes: the upload ${one.id}`);
      }
      if (one.kind === "removed" && (service.files.get(one.id) ?? service.batches.get(one.id)) !== undefined)
        problems.push(`back again: ${one.id}`);
      if (one.kind === "created" && !mayBeGone(one.id) && service.batches.get(one.id)?.inputFileId !== one.input)
        problems.push(`lost: the batch ${one.id}`);
      if (one.kind === "cancelled" && !mayBeGone(one.id)) {
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
    lines = new Set(replayAll(run).flatMap((content) => content.toString().split("\n")));
    allLines.set(run, lines);
  }
  return lines;
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((item, at) => item === other[at]);
