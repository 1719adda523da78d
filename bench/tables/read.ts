/** Reads one table in a new process, as Build does when its last byte is there, and prints what it took. */
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { indexSource } from "../../src/main/build/sources/index-source.ts";

const [, , path = ""] = process.argv;
const folder = await mkdtemp(join(tmpdir(), "sheaf-table-"));
try {
  const content = join(folder, "content");
  await copyFile(path, content);
  const [start, used] = [performance.now(), process.cpuUsage()];
  const last = (await Array.fromAsync(indexSource(content, basename(path)))).at(-1);
  const milliseconds = performance.now() - start;
  const { user, system } = process.cpuUsage(used);
  const rows = last?.phase === "indexed" ? last.index.rowCount : 0;
  const megabytes = process.resourceUsage().maxRSS / 1_000;
  console.log(JSON.stringify({ milliseconds, processor: (user + system) / 1_000, rows, megabytes }));
} finally {
  await rm(folder, { recursive: true });
}
