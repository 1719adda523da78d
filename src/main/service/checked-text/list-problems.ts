import type { z } from "zod";

/** One mistake in a value, and where it is. */
export interface TextProblem {
  readonly path: readonly PropertyKey[];
  /** Keys at that place that it is about. */
  readonly keys: readonly string[];
  readonly message: string;
}

/** All that zod found, one entry for each thing to mend. */
export function listProblems({ issues }: z.ZodError): TextProblem[] {
  return issues.flatMap((issue) => describeIssue(issue, []));
}

function describeIssue(issue: z.core.$ZodIssue, parents: readonly PropertyKey[]): TextProblem[] {
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
function describeBranch(issue: z.core.$ZodIssueInvalidUnion, path: readonly PropertyKey[]): TextProblem[] | null {
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
