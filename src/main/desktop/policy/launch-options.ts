import { parseArgs } from "node:util";
import type { z } from "zod";
import { parseFlags, webFlags } from "#main/cli";
import { findLink } from "./open-requests.ts";

/** The flags that the desktop app takes when it is started. The same ones, with the same meaning, as `sheaf web`. */
const launchFlags = webFlags.pick({
  engine: true,
  pace: true,
  seed: true,
  dataDir: true,
  ephemeral: true,
  secrets: true,
});
export type LaunchOptions = z.infer<typeof launchFlags>;

/**
 * Reads the flags of a command line that Chromium reads too: what is not ours is left to it. Fails with one sentence
 * about the first wrong flag. A start by a link has none: the program that has the link opened could add them.
 */
export function readLaunchOptions(argv: readonly string[]): LaunchOptions {
  const args = argv.slice(1);
  const { values } = parseArgs({
    args: findLink(args) === undefined ? args : [],
    strict: false,
    options: {
      engine: { type: "string" },
      pace: { type: "string" },
      seed: { type: "string" },
      "data-dir": { type: "string" },
      ephemeral: { type: "boolean" },
      secrets: { type: "string" },
    },
  });
  const { engine, pace, seed, ephemeral, secrets, "data-dir": dataDir } = values;
  return parseFlags(launchFlags, { engine, pace, seed, ephemeral, secrets, dataDir });
}
