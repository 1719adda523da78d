import { parseArgs } from "node:util";
import { type FlagsOf, parseFlags, toKebabCase, webFlags } from "#main/cli";
import { findLink } from "./open-requests.ts";

/** The flags that the desktop app takes when it is started. The same ones, with the same meaning, as `sheaf web`. */
const { engine, pace, seed, dataDir, ephemeral, secrets } = webFlags;
const launchFlags = { engine, pace, seed, dataDir, ephemeral, secrets };
export type LaunchOptions = FlagsOf<typeof launchFlags>;

/**
 * Reads the flags of a command line that Chromium reads too: what is not ours is left to it. Fails with one sentence
 * about the first wrong flag. A start by a link has none: the program that has the link opened could add them.
 */
export function readLaunchOptions(argv: readonly string[]): LaunchOptions {
  const args = argv.slice(1);
  const options = Object.entries(launchFlags).map(([name, { value }]) => {
    return [toKebabCase(name), { type: value === undefined ? "boolean" : "string" }] as const;
  });
  const { values } = parseArgs({
    args: findLink(args) === undefined ? args : [],
    strict: false,
    options: Object.fromEntries(options),
  });
  const given = Object.keys(launchFlags).map((name) => [name, values[toKebabCase(name)]]);
  return parseFlags(launchFlags, Object.fromEntries(given));
}
