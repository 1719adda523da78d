import { extname } from "node:path";
import { type Document, isMap, isNode, isPair, isScalar, LineCounter, parseDocument } from "yaml";
import { type Rule, type Rules, ruleSchema, rulesSchema } from "./rule-schema.ts";
import { RulesError } from "./rules-error.ts";
import { listProblems, type RulesProblem } from "./rules-problem.ts";

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
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new RulesError(
      document.errors.map(({ pos, message }) => `${file}:${lines.linePos(pos[0]).line}: ${message}`),
    );
  }
  const { data, error } = rulesSchema.safeParse(toValue(document, file), { reportInput: true });
  if (error === undefined) return data;
  const placed = listProblems(error).map((problem) => {
    const { line } = lines.linePos(findOffset(document, problem));
    return { line, text: `${file}:${line}: ${problem.message}` };
  });
  throw new RulesError(placed.sort((a, b) => a.line - b.line).map((problem) => problem.text));
}

function toValue(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // Aliases that multiply without end.
    throw new RulesError([`${file}:1: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function parseLines(text: string, file: string): Rules {
  const rules: Rule[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const place = `${file}:${index + 1}: `;
    try {
      const { data, error } = ruleSchema.safeParse(JSON.parse(line), { reportInput: true });
      if (data !== undefined) rules.push(data);
      else
        problems.push(...listProblems(error).map(({ message }) => place + message.replace(/^the file /, "the rule ")));
    } catch (error) {
      problems.push(`${place}not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (problems.length > 0) throw new RulesError(problems);
  return { fallback: "mock", rules };
}

/** Where in the text a problem is: at its key, else at the nearest thing around it that is there. */
function findOffset(document: Document.Parsed, { path, keys }: RulesProblem): number {
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
