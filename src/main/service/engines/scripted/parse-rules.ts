import { extname } from "node:path";
import { listProblems, parseChecked, TextError } from "../../checked-text/index.ts";
import { type Rule, type Rules, ruleSchema, rulesSchema } from "./rule-schema.ts";
import { RulesError } from "./rules-error.ts";

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
    return parseChecked(text, file, rulesSchema);
  } catch (error) {
    if (error instanceof TextError) throw new RulesError(error.problems);
    throw error;
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
