import type { z } from "zod";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Whether the value is not there, is of another type, or is of the right type but not allowed. */
export type IssueKind = "missing" | "wrong_type" | "wrong_value";

/** One thing that is wrong with a value: where, as `messages[2].role`, and what was found and is expected. */
interface DescribedIssue {
  readonly param: string;
  readonly message: string;
  readonly kind: IssueKind;
}

/** Puts what a zod schema found wrong with `value` into words; the first issue of each place. */
export function describeIssues(issues: readonly Issue[], value: unknown): DescribedIssue[] {
  const described = new Map<string, DescribedIssue>();
  for (const { path, rule, isOfType } of narrowRanges(issues).flatMap((issue) => expand(issue, []))) {
    const param = formatPath(path);
    if (described.has(param)) continue;
    const found = find(value, path);
    const kind = found === undefined ? "missing" : isOfType ? "wrong_value" : "wrong_type";
    described.set(param, { param, message: `${param} is ${describeFound(found)}${rule}`, kind });
  }
  return [...described.values()];
}

/** The places of fields that a schema has no name for. */
export function listUnknownFields(issues: readonly Issue[]): Path[] {
  return issues
    .flatMap((issue) => expand(issue, []))
    .filter(({ isUnknown }) => isUnknown === true)
    .map(({ path }) => path);
}

/**
 * The issues without those about the range of all whole numbers where a narrower one is broken, too: a number beyond 2^53 is
 * told the field's own bound.
 */
export function narrowRanges(issues: readonly Issue[]): readonly Issue[] {
  const isBound = ({ code }: Issue) => code === "too_big" || code === "too_small";
  const isWidest = (issue: Issue) =>
    (issue.code === "too_big" && issue.maximum === Number.MAX_SAFE_INTEGER) ||
    (issue.code === "too_small" && issue.minimum === Number.MIN_SAFE_INTEGER);
  return issues.filter(
    (issue, at) => !(isWidest(issue) && issues.some((other, i) => i > at && isBound(other) && samePath(issue, other))),
  );
}

function samePath(one: Issue, other: Issue): boolean {
  return one.path.length === other.path.length && one.path.every((key, at) => key === other.path[at]);
}

interface BrokenRule {
  readonly path: Path;
  /** Follows what was found. */
  readonly rule: string;
  readonly isOfType: boolean;
  /** Whether the field has no place in the schema. */
  readonly isUnknown?: true;
}

/** What was expected where. Of a union, the kind that was meant; all its kinds where that can't be told. */
function expand(issue: Issue, parent: Path): BrokenRule[] {
  const path = [...parent, ...issue.path];
  if (issue.code === "custom") return [{ path, rule: `. ${issue.message}`, isOfType: true }];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: [...path, key],
      rule: "; no such field is taken.",
      isOfType: true,
      isUnknown: true,
    }));
  }
  if (issue.code !== "invalid_union") {
    return [{ path, rule: `; expected ${describeExpected(issue)}.`, isOfType: issue.code !== "invalid_type" }];
  }
  if ("options" in issue) return [{ path, rule: `; expected ${describeChoice(issue.options)}.`, isOfType: true }];
  const meant = issue.errors.find((branch) => !branch.some(isOfOtherKind));
  if (meant !== undefined) return meant.flatMap((inner) => expand(inner, path));
  const expectations = issue.errors.flatMap((branch) => branch.map(describeExpected));
  return [{ path, rule: `; expected ${expectations.join(" or ")}.`, isOfType: false }];
}

function isOfOtherKind(issue: Issue): boolean {
  return issue.code === "invalid_type" && issue.path.length === 0;
}

function describeExpected(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return kinds[issue.expected] ?? issue.expected;
    case "invalid_value": {
      return describeChoice(issue.values);
    }
    case "too_small":
      return issue.origin === "array" ? `at least ${countEntries(issue.minimum)}` : `${issue.minimum} or more`;
    case "too_big":
      return issue.origin === "array" ? `at most ${countEntries(issue.maximum)}` : `${issue.maximum} or less`;
    default:
      return issue.message;
  }
}

function describeChoice(choice: readonly unknown[] = []): string {
  const values = choice.map((value) => (typeof value === "string" ? quote(value) : String(value)));
  return values.length === 1 ? values.join() : `one of ${values.join(", ")}`;
}

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
};

function countEntries(count: number | bigint): string {
  return Number(count) === 1 ? "one entry" : `${count} entries`;
}

/** `["messages", 2, "role"]` → `messages[2].role`. */
function formatPath(path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

function find(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => {
    return typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined;
  }, value);
}

const longestQuote = 60;

/** What was found, for a message: `3`, `"GET"`, `an array of 2`. */
export function describeFound(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : `an array of ${value.length}`;
  switch (typeof value) {
    case "string":
      return quote(value);
    case "number":
    case "boolean":
      return String(value);
    case "undefined":
      return "missing";
    default:
      return "an object";
  }
}

/** Text in quotes, on one line, cut where it is long. */
export function quote(text: string): string {
  const cut = text.length > longestQuote ? `${text.slice(0, longestQuote).toWellFormed()}…` : text;
  return JSON.stringify(cut);
}

/** Why a line is not JSON, from the engine's own words, without the text that they quote. */
export function describeJsonError(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const position = /at position (\d+)/.exec(message)?.[1];
  if (message.startsWith("Unexpected end")) return "it ends too early";
  const reason = message.replace(/,? (in JSON at|at position|"|\.\.\.).*$/s, "");
  const where = position === undefined ? "" : ` at character ${Number(position) + 1}`;
  return reason === "" ? "it can't be read" : `${reason.charAt(0).toLowerCase()}${reason.slice(1)}${where}`;
}
