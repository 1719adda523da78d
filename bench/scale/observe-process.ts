/**
 * Loaded into a service before its program (`--import`): counts its syncs, and measures how late its event loop is. Answers each
 * message of its parent with what it saw since the one before.
 */
import fs from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Observed } from "../servers.ts";

let syncs = 0;
const delay = monitorEventLoopDelay({ resolution: 1 });

const file = await open(process.execPath);
const handles: Pick<FileHandle, "sync" | "datasync"> = Object.getPrototypeOf(file);
await file.close();
for (const name of ["sync", "datasync"] as const) {
  const original = handles[name];
  handles[name] = function (this: FileHandle) {
    syncs += 1;
    return original.call(this);
  };
}
for (const name of ["fsyncSync", "fdatasyncSync"] as const) {
  const original = fs[name];
  fs[name] = (descriptor) => {
    syncs += 1;
    original(descriptor);
  };
}
syncBuiltinESMExports();
delay.enable();

process.on("message", () => {
  const observed: Observed = {
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
