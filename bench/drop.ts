/**
 * Measures a table from the drop to the first answer of its batch, on disk and over the RPC of the app.
 * `npm run bench -- drop 20000` takes fewer rows.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { connectPort, openApp, upload } from "../src/main/app/testing/app-fixture.ts";
import { createTestEngine, replyTo } from "../src/main/service/testing/index.ts";
import { median } from "./statistics.ts";

const rows = Number(process.argv[3] ?? 120_000);
const rounds = Number(process.argv[4] ?? 3);
const words = "The parcel reached the harbour three days late, and nobody could say where it had been. ".repeat(3);
const template = {
  messages: [
    { role: "system" as const, content: "Sort the letter by what it is about." },
    { role: "user" as const, content: "{{ letter }}\n\nIt is from {{ city }}." },
  ],
  model: "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo",
  temperature: 0,
  maxCompletionTokens: 200,
  customId: "{{ id }}",
};

function makeTable(): Uint8Array<ArrayBuffer> {
  const records = Array.from({ length: rows }, (_, row) => `r-${row},"Letter ${row}: ${words}",${row % 7},Oslo`);
  return new TextEncoder().encode(`id,letter,stars,city\n${records.join("\n")}\n`);
}

/** Milliseconds by the clock and of all threads, for each step. */
type Taken = Record<string, { readonly wall: number; readonly processor: number }>;

async function measureOnce(table: Uint8Array<ArrayBuffer>): Promise<Taken> {
  const dataDir = await mkdtemp(join(tmpdir(), "sheaf-drop-"));
  const answered = Promise.withResolvers<void>();
  const engine = createTestEngine((call) => {
    answered.resolve();
    return replyTo(call);
  });
  const fixture = await openApp({ dataDir, ownThreads: true, engine });
  const taken: Record<string, { wall: number; processor: number }> = {};
  const [start, used] = [performance.now(), process.cpuUsage()];
  let [before, usedBefore] = [0, 0];
  const mark = (step: string) => {
    const { user, system } = process.cpuUsage(used);
    const [wall, processor] = [performance.now() - start, (user + system) / 1_000];
    taken[step] = { wall: wall - before, processor: processor - usedBefore };
    taken.all = { wall, processor };
    [before, usedBefore] = [wall, processor];
  };
  const { client, leave } = connectPort(fixture.app);
  try {
    const source = await upload(client, table, "letters.csv");
    mark("dropped and read");
    let batchId = "";
    for await (const event of await client.build.submit({ sourceId: source.id, template, name: "Letters" })) {
      if (event.phase === "submitted") batchId = event.batchId;
    }
    mark("requests written, batch created");
    await answered.promise;
    mark("file checked, first line answered");
    await fixture.service.batches.cancel(batchId);
    await fixture.service.batches.settled(batchId);
    return taken;
  } finally {
    leave();
    await fixture.close();
    await rm(dataDir, { recursive: true });
  }
}

const table = makeTable();
console.log(
  `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${rows} rows, ${(table.length / 1e6).toFixed(0)} MB`,
);
const all: Taken[] = [];
for (let round = 0; round < rounds; round++) {
  all.push(await measureOnce(table));
  const { wall = 0, processor = 0 } = all.at(-1)?.all ?? {};
  console.log(
    `round ${round + 1}: ${wall.toFixed(0)} ms, processor ${processor.toFixed(0)} ms, load ${loadavg()[0]?.toFixed(1)}`,
  );
}
for (const step of Object.keys(all[0] ?? {})) {
  const of = (which: "wall" | "processor") => median(all.map((taken) => taken[step]?.[which] ?? 0)).toFixed(0);
  console.log(`${step}: ${of("wall")} ms, processor ${of("processor")} ms`);
}
