import type { Document } from "yaml";
import type { z } from "zod";

type Yaml = typeof import("yaml");

let loaded: Yaml | null = null;

/** Loads the reader of YAML, for those who are about to call `parseConfigFile`: no start of the app needs it. */
export async function loadConfigReader(): Promise<void> {
  loaded ??= await import("yaml");
}

/** A text that can't be used: every mistake in it, each with its place as `file:line: message`. */
export class ConfigFileError extends Error {
  override readonly name: string = "ConfigFileError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/**
 * Reads a text that people write: YAML, or JSON, which is YAML, too. Throws a ConfigFileError that tells all that is wrong.
 * `file` is its name in the messages. `loadConfigReader` comes first.
 */
export function parseConfigFile<T extends z.ZodType>(text: string, file: string, schema: T): z.infer<T> {
  if (loaded === null) throw new Error("The reader of YAML has not been loaded.");
  const yaml = loaded;
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new ConfigFileError(
      document.errors.map(({ pos, message }) => `${file}:${lines.linePos(pos[0]).line}: ${message}`),
    );
  }
  const { data, error } = schema.safeParse(toValue(document, file), { reportInput: true });
  if (error === undefined) return data;
  const placed = listProblems(error).map((problem) => {
    const { line } = lines.linePos(findOffset(yaml, document, problem));
    return { line, text: `${file}:${line}: ${problem.message}` };
  });
  throw new ConfigFileError(placed.sort((a, b) => a.line - b.line).map((problem) => problem.text));
}

function toValue(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // Aliases that multiply without end.
    throw new ConfigFileError([`${file}:1: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

/** Where in the text a problem is: at its key, else at the nearest thing around it that is there. */
function findOffset(
  { isMap, isNode, isPair, isScalar }: Yaml,
  document: Document.Parsed,
  { path, keys }: ConfigProblem,
): number {
  const [key] = keys;
  const parent: unknown = document.getIn(path, true);
  if (key !== undefined && isMap(parent)) {
    const pair = parent.items.find((item) => isScalar(item.key) && item.key.value === key);
    if (isPair(pair) && isNode(pair.key) && pair.key.range) return pair.key.range[0];
  }
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

/** One mistake in a value, and where it is. */
interface ConfigProblem {
  readonly path: readonly PropertyKey[];
  /** Keys at that path that it is about. */
  readonly keys: readonly string[];
  readonly message: string;
}

/** All that zod found, one entry for each thing to fix. */
export function listProblems({ issues }: z.ZodError): ConfigProblem[] {
  return issues.flatMap((issue) => describeIssue(issue, []));
}

function describeIssue(issue: z.core.$ZodIssue, parents: readonly PropertyKey[]): ConfigProblem[] {
  const path = [...parents, ...issue.path];
  const problem = (message: string, keys: readonly string[] = []) => [
    { path, keys, message: `${formatPath(path)}${message}` },
  ];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.flatMap((key) => problem(`has the unknown key '${key}'`, [key]));
    case "invalid_union":
      return describeBranch(issue, path) ?? problem(`must be ${listTypes(issue)}, not ${describeValue(issue.input)}`);
    case "invalid_type":
      if (issue.input === undefined) return problem("is missing");
      return problem(`must be ${nameType(issue.expected)}, not ${describeValue(issue.input)}`);
    case "custom":
      return problem(issue.message);
    default:
      return problem(issue.message.replace(/^(Invalid input|Invalid option|Too \w+|Invalid string): /, "is wrong: "));
  }
}

/** Of the forms a value may have, the one that it was meant to have: whose own type fits. */
function describeBranch(issue: z.core.$ZodIssueInvalidUnion, path: readonly PropertyKey[]): ConfigProblem[] | null {
  const fitting = issue.errors.filter(
    (branch) => !branch.some(({ code, path: at }) => code === "invalid_type" && at.length === 0),
  );
  const closest = fitting.sort((a, b) => a.length - b.length)[0];
  return closest === undefined ? null : closest.flatMap((inner) => describeIssue(inner, path));
}

/** `a text or a map of keys`. */
function listTypes({ errors }: z.core.$ZodIssueInvalidUnion): string {
  const expected = errors.flatMap((branch) =>
    branch.flatMap((issue) => (issue.code === "invalid_type" ? issue.expected : [])),
  );
  return [...new Set(expected)].map(nameType).join(" or ");
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "a map of keys",
  record: "a map of keys",
  array: "a list",
};

function nameType(expected: string): string {
  return typeNames[expected] ?? expected;
}

function describeValue(value: unknown): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number") return `the number ${value}`;
  return typeNames[typeof value] ?? typeof value;
}

/** `rules[2].reply.error.status ` with a space behind, as it begins a sentence; `the file ` for the whole. */
function formatPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the file ";
  const steps = path.map((key, at) => (typeof key === "number" ? `[${key}]` : `${at === 0 ? "" : "."}${String(key)}`));
  return `${steps.join("")} `;
}
