import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Contestant, measure } from "../measure.ts";
import { type ObservedSheaf, startOnFolder } from "../servers.ts";
import { formatTable } from "../statistics.ts";
import { timeWork } from "../time-requests.ts";
import { checkAnswers, createBatch, download, pollBatch, runFloor, writeInput } from "./job.ts";
import { describeLoads, type Load, measureLoad } from "./measure-load.ts";

interface LineOptions {
  readonly folder: string;
  readonly lines: number;
  readonly modes: readonly string[];
  readonly rounds: number;
}

/** In milliseconds. */
const timeLimit = 1_200_000;
const pollEvery = 50;

/** A client's whole job, from upload to download, with each mode of durability beside the floor. They take turns. */
export async function measureLines({ folder, lines, modes, rounds }: LineOptions): Promise<void> {
  const input = join(folder, "input.jsonl");
  await writeInput(input, lines);
  const sheaves = await Promise.all(modes.map((mode) => startOnFolder(join(folder, mode), mode)));
  try {
    const loads = new Map(sheaves.map(({ name }) => [name, [] as Load[]]));
    const title = `${lines.toLocaleString("en")} lines, from upload to downloaded output, polled every ${pollEvery} ms`;
    const contestants = [
      createFloor(input, join(folder, "floor.jsonl"), lines),
      ...sheaves.map((sheaf) => createRun(sheaf, input, lines, loads.get(sheaf.name) ?? [])),
    ];
    const row = { title, asRate: false, contestants };
    const warmUps = lines > 100_000 ? 0 : 1;
    console.log(`\n${title}\n${formatTable(row, await measure(row, { rounds, warmUps, timeLimit }))}`);
    for (const [name, ofMode] of loads) console.log(`${name}: ${describeLoads(ofMode.slice(warmUps))}`);
  } finally {
    await Promise.all(sheaves.map((sheaf) => sheaf.stop()));
    await Promise.all(modes.map((mode) => rm(join(folder, mode), { recursive: true })));
  }
}

function createRun(sheaf: ObservedSheaf, input: string, lines: number, loads: Load[]): Contestant {
  return {
    name: sheaf.name,
    async run() {
      let output: Buffer = Buffer.alloc(0);
      let sample = { time: 0, cpu: null as number | null };
      const load = await measureLoad(sheaf, async () => {
        sample = await timeWork(sheaf, async () => {
          const { id } = await createBatch(sheaf, input);
          const ended = await pollBatch(sheaf, id, pollEvery, ({ status }) => status === "completed");
          output = await download(sheaf, ended.output_file_id);
        });
      });
      loads.push(load);
      checkAnswers(output, lines);
      return sample;
    },
  };
}

function createFloor(input: string, output: string, lines: number): Contestant {
  return {
    name: "floor: read, parse, write",
    async run() {
      const start = performance.now();
      const answers = await runFloor(input, output);
      const time = performance.now() - start;
      checkAnswers(answers, lines);
      return { time, cpu: null };
    },
  };
}
