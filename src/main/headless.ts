#!/usr/bin/env node
/** Node entry: the `sheaf` command. Never imports electron. */
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/** Not next to the code, which may be read-only or belong to another user. */
function findCacheFolder({ LOCALAPPDATA, XDG_CACHE_HOME }: NodeJS.ProcessEnv): string {
  const home = homedir();
  if (process.platform === "win32") return LOCALAPPDATA || join(home, "AppData", "Local");
  if (process.platform === "darwin") return join(home, "Library", "Caches");
  return XDG_CACHE_HOME || join(home, ".cache");
}

async function main(): Promise<void> {
  // Halves the time of a start. It holds for what is loaded from here on, so the command itself is.
  enableCompileCache(join(findCacheFolder(process.env), "sheaf", "compile"));
  const { runCli } = await import("#main/cli");
  const { createSystemMachine } = await import("#main/base");
  // Of a process that started this one as its child: its end is that of this one.
  process.once("disconnect", () => process.emit("SIGTERM"));
  process.channel?.unref();
  const io = Object.assign(process, { machine: createSystemMachine() });
  process.exitCode = await runCli(process.argv.slice(2), io);
}

void main();
