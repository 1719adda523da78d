import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { basename, extname } from "node:path";
import { ConfigFileError, listProblems, parseConfigFile } from "../../config-file.ts";
import type { Logger } from "../../ports.ts";
import { type Rule, type Rules, ruleSchema, rulesSchema } from "./rule-schema.ts";

/** Where rules come from. */
export interface RulesSource {
  /** For people: the file's name. */
  readonly name: string;
  /** Another object whenever they have changed. */
  readonly current: Rules;
  close(): void;
}

/** Rules that stay. Throws a RulesError that lists all that is wrong with them. */
export function createFixedRules(rules: unknown): RulesSource {
  return { name: "the rules", current: checkRules(rules), close() {} };
}

/** Between two looks at the file, in milliseconds. Looking works with every editor and file system; watching does not. */
const lookEvery = 300;

/**
 * Reads a rules file, and again whenever it changes: then the calls are counted from the start. A changed file that has
 * mistakes changes nothing, and the log lists them. Throws a RulesError when the file can't be used at first.
 */
export function openRulesFile(path: string, logger: Logger): RulesSource {
  let current = read(path);

  function reload(): void {
    try {
      current = read(path);
      logger.info("The rules file was read again", { file: path, rules: current.rules.length });
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

function read(path: string): Rules {
  return parseRules(readText(path), path);
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

/**
 * Reads the text of a rules file: YAML, JSON (which is YAML, too), or JSONL with a rule in each line, by the name.
 * Throws a RulesError that tells all that is wrong, each with its line.
 */
export function parseRules(text: string, file: string): Rules {
  return extname(file).toLowerCase() === ".jsonl" ? parseLines(text, file) : parseWhole(text, file);
}

/** Checks rules that are no file's. Throws a RulesError. */
export function checkRules(value: unknown): Rules {
  const { data, error } = rulesSchema.safeParse(value, { reportInput: true });
  if (error !== undefined) throw new RulesError(listProblems(error).map(({ message }) => message));
  return data;
}

function parseWhole(text: string, file: string): Rules {
  try {
    return parseConfigFile(text, file, rulesSchema);
  } catch (error) {
    if (error instanceof ConfigFileError) throw new RulesError(error.problems);
    throw error;
  }
}

function parseLines(text: string, file: string): Rules {
  const rules: Rule[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const at = `${file}:${index + 1}: `;
    try {
      const { data, error } = ruleSchema.safeParse(JSON.parse(line), { reportInput: true });
      if (data !== undefined) rules.push(data);
      else problems.push(...listProblems(error).map(({ message }) => at + message.replace(/^the file /, "the rule ")));
    } catch (error) {
      problems.push(`${at}not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (problems.length > 0) throw new RulesError(problems);
  return { fallback: "mock", rules };
}

/** Rules that can't be used: every mistake in them, each with its place as `file:line: message`. */
export class RulesError extends ConfigFileError {
  override readonly name = "RulesError";
}
