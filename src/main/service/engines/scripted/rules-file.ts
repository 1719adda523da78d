import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { basename } from "node:path";
import type { Logger } from "../../ports.ts";
import { parseRules } from "./parse-rules.ts";
import { RulesError } from "./rules-error.ts";
import { enforce, type RulesInForce, type RulesSource } from "./rules-source.ts";

/** Between two looks at the file, in milliseconds. Looking works with every editor and file system; watching does not. */
const lookEvery = 300;

/**
 * Reads a rules file, and again whenever it changes: then the calls are counted from the start. A changed file that has
 * mistakes changes nothing, and the log says what they are. Throws a RulesError when the file can't be used at first.
 */
export function openRulesFile(path: string, logger: Logger): RulesSource {
  let current = read(path);

  function reload(): void {
    try {
      current = read(path);
      logger.info("The rules file was read again", { file: path, rules: current.book.size });
    } catch (error) {
      if (!(error instanceof RulesError)) throw error;
      for (const problem of error.problems) logger.warn(problem);
      logger.warn("The rules file has mistakes: the rules from before stay in force", { file: path });
    }
  }
  const look = () => reload();
  watchFile(path, { interval: lookEvery, persistent: false }, look);

  return {
    name: basename(path),
    get current() {
      return current;
    },
    close: () => unwatchFile(path, look),
  };
}

function read(path: string): RulesInForce {
  return enforce(parseRules(readText(path), path));
}

function readText(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const reason = error instanceof TypeError ? "it is not UTF-8" : explain(error);
    throw new RulesError([`${path}: the rules can't be read: ${reason}.`]);
  }
}

function explain(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "it is a folder";
  return error instanceof Error ? error.message : String(error);
}
