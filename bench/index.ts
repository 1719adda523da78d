/**
 * `npm run bench`: how long a batch of 1,319 questions takes in a running service, from the first byte uploaded to the
 * last one downloaded, beside a peer and beside the least that the work can cost. The rows take turns in every round,
 * so that whatever else the machine does hits all of them, and every output is checked.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type Contestant, createFloor, startAimock, startSheaf } from "./contestants.ts";
import { checkOutput, type Job, readJob } from "./job.ts";
import { formatTable } from "./statistics.ts";

const timeLimit = 120_000;

const { values } = parseArgs({ options: { rounds: { type: "string" }, "warm-ups": { type: "string" } } });
const rounds = readCount(values.rounds, 15);
const warmUps = readCount(values["warm-ups"], 5);

const job = await readJob();
const aimock = await startAimock(job);
const contestants = [await createFloor(job), aimock, await startSheaf(job)];
try {
  const times = await measure(contestants, job);
  const rows = contestants.map(({ name }) => ({ name, times: times.get(name) ?? [] }));
  const reference = rows.find(({ name }) => name === aimock.name) ?? { name: "", times: [] };
  console.log(`${job.customIds.size} requests, ${reference.times.length} rounds after ${warmUps} warm-ups`);
  console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}\n`);
  console.log(formatTable(rows, reference));
} finally {
  await Promise.all(contestants.map((contestant) => contestant.stop()));
}

async function measure(contestants: readonly Contestant[], job: Job): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  const start = performance.now();
  for (let round = 0; round < warmUps + rounds && performance.now() - start < timeLimit; round += 1) {
    for (const contestant of rotate(contestants, round)) {
      const before = performance.now();
      const output = await contestant.run();
      const took = performance.now() - before;
      checkOutput(output, job);
      if (round >= warmUps) times.get(contestant.name)?.push(took);
    }
  }
  return times;
}

/** Nobody always comes first, or right after the same neighbour. */
function rotate<T>(items: readonly T[], by: number): T[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

function readCount(given: string | undefined, usual: number): number {
  const count = Number(given ?? usual);
  if (!Number.isInteger(count) || count < 1 || count > 100) throw new Error("Counts go from 1 to 100.");
  return count;
}
