import { appendFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createSilentLogger, createSystemMachine } from "#main/base";
import { openStore, readRecords, sealLine } from "#main/storage";
import { makeFileRecord } from "../../src/main/service/testing/records.ts";
import { toBatchRecord } from "../results/write-batch.ts";
import { type ObservedSheaf, startOnFolder } from "../servers.ts";
import { median } from "../statistics.ts";
import { createBatch, pollBatch, writeInput } from "./job.ts";
import { describeLoads, measureLoad } from "./measure-load.ts";

const journalOf = (dataDir: string) => join(dataDir, "journal.jsonl");
/** How often the record of a batch changes while it runs. */
const versions = 20;

/** A start on a folder with nothing in it: what every other start has in it, too. */
export async function measureEmpty(folder: string, rounds: number): Promise<void> {
  await measureStart("An empty folder", join(folder, "empty"), rounds, async () => {});
}

/** Kills a service near the end of a batch, and starts it again: until it knows all answers that were seen before. */
export async function measureRestart(folder: string, lines: number): Promise<void> {
  const input = join(folder, "input.jsonl");
  await writeInput(input, lines);
  const dataDir = join(folder, "restart");
  const first = await startOnFolder(dataDir, "second");
  const { id } = await createBatch(first, input);
  const before = await pollBatch(first, id, 5, (batch) => batch.request_counts.completed >= lines * 0.98);
  await first.kill();
  const seen = before.request_counts.completed;
  const begin = performance.now();
  const second = await startOnFolder(dataDir, "second");
  let known = 0;
  const load = await measureLoad(second, async () => {
    await pollBatch(second, id, 5, ({ request_counts: { completed } }) => completed >= seen);
    known = performance.now() - begin;
    await pollBatch(second, id, 20, ({ status }) => status === "completed");
  });
  const all = performance.now() - begin;
  await second.stop();
  const times = [second.readyAfter, known, all].map((time) => `${time.toFixed(0)} ms`);
  console.log(
    `\nRestart of a batch with ${seen.toLocaleString("en")} answers: ready after ${times[0]}, all known after ${times[1]}, the rest answered after ${times[2]}`,
  );
  console.log(describeLoads([load]));
}

/** A start with many batches that ended and many files, which are then listed all the time. */
export async function measureFolder(folder: string, batches: number, files: number, rounds: number): Promise<void> {
  const dataDir = join(folder, "folder");
  await fillFolder(dataDir, batches, files);
  const { size } = statSync(journalOf(dataDir));
  const live = readRecords(dataDir).rows.liveBytes;
  const title = `${batches.toLocaleString("en")} ended batches, ${files.toLocaleString("en")} files`;
  await measureStart(title, dataDir, rounds, async (sheaf) => {
    const headers = { authorization: `Bearer ${sheaf.apiKey}` };
    const until = performance.now() + 2_000;
    while (performance.now() < until) {
      for (const list of ["batches?limit=100", "files?limit=1000"]) {
        const answer = await fetch(`${sheaf.url}/v1/${list}`, { headers });
        if (!answer.ok) throw new Error(`${list}: ${answer.status}`);
        await answer.arrayBuffer();
      }
    }
  });
  console.log(`journal: ${(size / 1e6).toFixed(1)} MB, ${(size / live).toFixed(2)} times its live content`);
}

/** A start on a journal of so many megabytes, most of which no record needs any more. */
export async function measureJournal(folder: string, megabytes: number): Promise<void> {
  const dataDir = join(folder, "journal");
  await fillFolder(dataDir, 1_000, 3_000);
  growJournal(dataDir, megabytes * 1e6);
  await measureStart(`A journal of ${megabytes} MB`, dataDir, 1, async () => {});
}

async function measureStart(
  title: string,
  dataDir: string,
  rounds: number,
  work: (sheaf: ObservedSheaf) => Promise<void>,
): Promise<void> {
  const starts: number[] = [];
  const loads = [];
  for (let round = 0; round < rounds; round += 1) {
    const sheaf = await startOnFolder(dataDir, "second");
    const { memory } = await sheaf.observe();
    starts.push(sheaf.readyAfter);
    console.log(
      `${round === 0 ? `\n${title}: ` : ""}ready after ${sheaf.readyAfter.toFixed(0)} ms, ${memory.toFixed(0)} MB`,
    );
    loads.push(
      await measureLoad(sheaf, async () => {
        await work(sheaf);
        await wait(500);
      }),
    );
    await sheaf.stop();
  }
  console.log(`ready after ${median(starts).toFixed(0)} ms; ${describeLoads(loads)}`);
}

/** Leaves a folder as its batches would: their records have changed many times, three files are of each. */
async function fillFolder(dataDir: string, batches: number, files: number): Promise<void> {
  const parts = { logger: createSilentLogger(), machine: createSystemMachine() };
  const store = await openStore({ dataDir, durability: "never" }, parts);
  const content = "A line of an uploaded file.\n".repeat(10);
  const addFile = (id: string, purpose: "batch" | "batch_output") => {
    writeFileSync(store.pathOf(id), content);
    store.files.put(makeFileRecord({ id, filename: id, bytes: content.length, purpose, createdAt: Date.now() }));
    return id;
  };
  const counts = { total: 1_000, completed: 0, failed: 0 };
  for (let at = 0; at < batches; at += 1) {
    const nameFile = (one: number) => `file-${String(at * 3 + one).padStart(8, "0")}`;
    const input = addFile(nameFile(0), "batch");
    const output = addFile(nameFile(1), "batch_output");
    const error = addFile(nameFile(2), "batch_output");
    const id = `batch_${String(at).padStart(8, "0")}`;
    for (let version = 1; version <= versions; version += 1) {
      const completed = Math.floor((counts.total * version) / versions);
      const ended = version === versions;
      store.batches.put(
        toBatchRecord({ id, counts: { ...counts, completed }, files: { input, output, error }, ended }),
      );
    }
    // A journal is written anew while others wait.
    await wait(0);
  }
  for (let at = batches * 3; at < files; at += 1) {
    addFile(`file-${String(at).padStart(8, "0")}`, "batch");
    if (at % 1_000 === 0) await wait(0);
  }
  await store.close();
}

/** Adds versions of batches that are there. */
function growJournal(dataDir: string, bytes: number): void {
  const { rows, lastSeq } = readRecords(dataDir);
  const path = journalOf(dataDir);
  const records = [...rows.batches.values()];
  let { size } = statSync(path);
  for (let seq = lastSeq + 1; size < bytes; ) {
    const block = records.map((record) => sealLine({ kind: "batch", record, at: Date.now(), seq: seq++ }));
    const written = Buffer.concat(block);
    appendFileSync(path, written);
    size += written.length;
  }
}
