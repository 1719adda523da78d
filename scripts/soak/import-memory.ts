/**
 * Imports a table into Build in this process, and prints its memory in MB: before, at the most, and when it has been idle. `used` is what
 * JavaScript holds of it.
 * `node scripts/soak/import-memory.ts letters.csv 120`: the table, the idle seconds.
 */
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sourceChunkBytes } from "../../src/contract/index.ts";
import { connectPort, openApp } from "../../src/main/app/testing/app-fixture.ts";

const [, , path = "", idleSeconds = "120"] = process.argv;
const readMemory = () => process.memoryUsage.rss() / 1e6;
const readUsed = () => {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
};
const dataDir = await mkdtemp(join(tmpdir(), "sheaf-import-"));
const fixture = await openApp({ dataDir, ownThreads: true });
const { client, leave } = connectPort(fixture.app);
try {
  const [before, usedBefore] = [readMemory(), readUsed()];
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, readMemory());
  }, 100);
  const { id } = await client.sources.begin({ name: basename(path) });
  let offset = 0;
  for await (const piece of createReadStream(path, { highWaterMark: sourceChunkBytes })) {
    const bytes: Uint8Array<ArrayBuffer> = Uint8Array.from(piece);
    await client.sources.append({ id, offset, chunk: new Blob([bytes]) });
    offset += bytes.length;
  }
  for await (const event of await client.sources.finish({ id })) void event;
  clearInterval(watch);
  await wait(Number(idleSeconds) * 1_000);
  console.log(JSON.stringify({ before, most, idle: readMemory(), usedBefore, usedIdle: readUsed() }));
} finally {
  leave();
  await fixture.close();
  await rm(dataDir, { recursive: true });
}
