import { existsSync, readdirSync, readFileSync, statSync, unwatchFile, watchFile } from "node:fs";
import { basename, extname, join } from "node:path";
import { defaultScope, type Logger } from "#main/base";
import { ConfigFileError, listProblems, parseConfigFile, parseJson } from "#main/storage";
import { type Rule, type Rules, ruleSchema, rulesSchema } from "./rule-schema.ts";

/** Where rules come from. */
export interface RulesSource {
  /** For people: the file's name. */
  readonly name: string;
  /** Another object whenever they have changed. */
  readonly current: Rules;
  /** Where each scope has rules of its own, such as the recording of a test: those, in place of `current`. */
  ofScope?(scope: string): Rules;
  close(): void;
}

/** Rules that stay. Throws a RulesError that lists all that is wrong with them. */
export function createFixedRules(rules: unknown): RulesSource {
  return { name: "the rules", current: checkRules(rules), close() {} };
}

/** What a source does in addition to reading. */
export interface RulesOptions {
  /** Whether what no rule matches is an error, whatever the file says; not by default. */
  readonly isStrict?: boolean;
}

/** Between two looks at the file, in milliseconds. Looking works with every editor and file system; watching does not. */
const lookEvery = 300;

/**
 * Reads a rules file, and again whenever it changes: then the calls are counted from the start. A changed file that has
 * mistakes changes nothing, and the log lists them. Throws a RulesError when the file can't be used at first.
 */
export function openRulesFile(path: string, logger: Logger, options: RulesOptions = {}): RulesSource {
  let current = read(path, options);

  function reload(): void {
    try {
      current = read(path, options);
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

function read(path: string, { isStrict = false }: RulesOptions): Rules {
  const rules = parseRules(readText(path), path);
  return isStrict ? { ...rules, fallback: "error" } : rules;
}

/** Whether recordings go to a folder, with a file for each scope: it is one, or its name ends like one. */
export function isFolder(path: string): boolean {
  return /[/\\]$/.test(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The recording of a scope. Names of scopes are names of files. */
export function recordingOf(path: string, scope: string): string {
  return isFolder(path) ? join(path, `${scope}.jsonl`) : path;
}

/**
 * Recordings, which answers may be added to: a file for all scopes, or a folder with one for each. What is not there has no rules
 * yet. Throws a RulesError where one can't be read.
 */
export function openRecordings(path: string, options: RulesOptions = {}): RulesSource {
  const fallback = options.isStrict === true ? "error" : "mock";
  const read = (file: string): Rules => ({ fallback, rules: existsSync(file) ? readRecording(file) : [] });
  const source = { name: basename(path), close() {} };
  if (!isFolder(path)) return { ...source, current: read(path) };

  const found = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith(".jsonl")) : [];
  const known = new Map(found.map((name) => [basename(name, ".jsonl"), read(join(path, name))]));
  return {
    ...source,
    current: read(recordingOf(path, defaultScope)),
    ofScope(scope) {
      const rules = known.get(scope) ?? { fallback, rules: [] };
      known.set(scope, rules);
      return rules;
    },
  };
}

/** The rules of a recording, but for a last line that a crash has torn: what continues the recording cuts it off. */
function readRecording(file: string): Rule[] {
  const text = readText(file);
  const end = text.lastIndexOf("\n") + 1;
  const isTorn = parseJson(text.slice(end)) === undefined;
  return parseRules(isTorn ? text.slice(0, end) : text, file).rules;
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
