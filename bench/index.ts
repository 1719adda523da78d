/**
 * `npm run bench`: how long a batch of 1,319 questions takes in a running service, from the first byte uploaded to the
 * last one downloaded, beside a peer and beside the least that the work can cost. The rows take turns in every round,
 * so that whatever else the machine does hits all of them, and every output is checked.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { createFloor, startAimock, startSheaf } from "./contestants.ts";
import { checkOutput, readJob } from "./job.ts";
import { type Figures, formatTable } from "./statistics.ts";

const timeLimit = 120_000;
/** How often clients look whether a batch is done: as fast as makes sense, and as a patient test would. */
const pollIntervals = [5, 50];

const { values } = parseArgs({ options: { rounds: { type: "string" }, "warm-ups": { type: "string" } } });
const rounds = readCount(values.rounds, 15);
const warmUps = readCount(values["warm-ups"], 5);

const job = await readJob();
const floor = await createFloor(job);
const servers = [await startAimock(job), await startSheaf(job)];
try {
  console.log(`${job.customIds.size} requests, ${rounds} rounds after ${warmUps} warm-ups`);
  console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}`);
  const rows = await measure([
    { name: floor.name, run: () => floor.run(0) },
    ...pollIntervals.flatMap((pollEvery) =>
      servers.map((server) => ({
        name: `${server.name}, polled every ${pollEvery} ms`,
        run: () => server.run(pollEvery),
      })),
    ),
  ]);
  const [floorRow, ...serverRows] = rows;
  for (const [at] of pollIntervals.entries()) {
    const [peer, ours] = serverRows.slice(at * servers.length);
    if (floorRow !== undefined && peer !== undefined && ours !== undefined) {
      console.log(`\n${formatTable([floorRow, peer, ours], peer)}`);
    }
  }
} finally {
  await Promise.all([floor, ...servers].map((contestant) => contestant.stop()));
}

interface Row {
  readonly name: string;
  run(): Promise<string>;
}

async function measure(rows: readonly Row[]): Promise<Figures[]> {
  const figures = rows.map(({ name }): Figures => ({ name, times: [] }));
  const start = performance.now();
  for (let round = 0; round < warmUps + rounds && performance.now() - start < timeLimit; round += 1) {
    for (const at of rotate([...rows.keys()], round)) {
      const before = performance.now();
      const output = await rows[at]?.run();
      const took = performance.now() - before;
      checkOutput(output ?? "", job);
      if (round >= warmUps) figures[at]?.times.push(took);
    }
  }
  return figures;
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
