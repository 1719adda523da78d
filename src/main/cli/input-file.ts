import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CliError, describeFileError, exitCodes } from "./cli-error.ts";

/**
 * Checks that a file can be read, before anything long begins.
 * @throws CliError that names the path as the user gave it
 */
export async function checkInputFile(path: string): Promise<void> {
  const found = await stat(path).catch((error) => {
    throw describeFileError(error, path);
  });
  if (found.isDirectory()) throw new CliError(`${path}: it is a folder.`, exitCodes.unusable);
}

/**
 * Refuses targets that would replace the input or one another. Standard output (`-`) may be shared, and so may what is no
 * regular file, such as /dev/null.
 */
export async function refuseOverwriting(input: string, targets: readonly string[]): Promise<void> {
  const taken = new Set([await identify(input)]);
  for (const target of targets.filter((path) => path !== "-")) {
    const place = await identify(target);
    if (place !== undefined && taken.has(place)) {
      throw new CliError(`${target}: this file is already the place for something else.`, exitCodes.unusable);
    }
    taken.add(place);
  }
}

/** Refuses files that would share standard output with `--json`. */
export function refuseSharedOutput(json: boolean, targets: readonly (string | undefined)[]): void {
  if (!json || !targets.includes("-")) return;
  throw new CliError("--json and -o - both want standard output: give -o a file.", exitCodes.unusable);
}

async function identify(path: string): Promise<string | undefined> {
  const present = await stat(path).catch(() => undefined);
  if (present === undefined) return resolve(path);
  return present.isFile() ? await realpath(path) : undefined;
}
