/**
 * Loaded into a service before its program (`--import`): counts its syncs, and measures how late its event loop is. Answers each
 * message of its parent with what it saw since the one before. Not in TypeScript: to take its types away Node loads a parser of 50 MB.
 */
import fs from "node:fs";
import { open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { monitorEventLoopDelay } from "node:perf_hooks";

let syncs = 0;
const delay = monitorEventLoopDelay({ resolution: 1 });

const file = await open(process.execPath);
/** @type {Pick<import("node:fs/promises").FileHandle, "sync" | "datasync">} */
const handles = Object.getPrototypeOf(file);
await file.close();
for (const name of /** @type {const} */ (["sync", "datasync"])) {
  const original = handles[name];
  handles[name] = function () {
    syncs += 1;
    return original.call(this);
  };
}
for (const name of /** @type {const} */ (["fsyncSync", "fdatasyncSync"])) {
  const original = fs[name];
  fs[name] = (descriptor) => {
    syncs += 1;
    original(descriptor);
  };
}
syncBuiltinESMExports();
delay.enable();

process.on("message", () => {
  /** @type {import("../servers.ts").Observed} */
  const observed = {
    syncs,
    loopDelay: delay.percentile(99) / 1e6,
    longestLoopDelay: delay.max / 1e6,
    memory: process.memoryUsage.rss() / 1e6,
    mostMemory: process.resourceUsage().maxRSS / 1e3,
  };
  process.send?.(observed);
  syncs = 0;
  delay.reset();
});
// A service ends by itself, whether its parent listens or not.
process.channel?.unref();
