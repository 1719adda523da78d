/**
 * How a service grows: batches of 1,000 to 1,000,000 lines beside the floor, with each mode of durability; starts with a batch under
 * way, with many batches and files, and with a large journal. `/health` is asked meanwhile. `--quick` takes small sizes; a size of 0
 * leaves a part out: `--lines 0 --restart 0 --files 0 --journal 1000` has the journal alone. With
 * `SHEAF_PROGRAM=out/package/out/main/cli.js` the package is measured in place of the sources (`npm run package` builds it).
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureLines } from "./lines.ts";
import { measureEmpty, measureFolder, measureJournal, measureRestart } from "./starts.ts";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    quick: { type: "boolean", default: false },
    lines: { type: "string" },
    durability: { type: "string", default: "never,second,always" },
    rounds: { type: "string", default: "3" },
    /** Lines of the batch whose service is killed. */
    restart: { type: "string" },
    batches: { type: "string" },
    files: { type: "string" },
    /** In megabytes. */
    journal: { type: "string" },
  },
});
const usual = values.quick
  ? { lines: "1000", restart: "10000", batches: "100", files: "2000", journal: "20" }
  : { lines: "1000,10000,50000,1000000", restart: "1000000", batches: "1000", files: "50000", journal: "1000" };
const { lines, restart, batches, files, journal } = { ...usual, ...values };
const rounds = Number(values.rounds);
const modes = values.durability.split(",");

const folder = await mkdtemp(join(tmpdir(), "sheaf-scale-"));
try {
  const load = loadavg().map((one) => one.toFixed(1));
  console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, load ${load.join(", ")}`);
  await measureEmpty(folder, rounds);
  if (Number(files) > 0) await measureFolder(folder, Number(batches), Number(files), rounds);
  if (Number(journal) > 0) await measureJournal(folder, Number(journal));
  for (const count of lines.split(",").map(Number)) {
    if (count > 0) await measureLines({ folder, lines: count, modes, rounds });
  }
  if (Number(restart) > 0) await measureRestart(folder, Number(restart));
} finally {
  await rm(folder, { recursive: true });
}
