import { type FoundJson, findJson } from "#main/answers";
import { findSchema } from "./find-schema.ts";
import { broken, followed, type Instruction, isConditional, type Rule, readQuoted } from "./instruction.ts";

const between =
  "(?:\\s+(?:your|the|an?|answer|response|result|results|output|it|them|only|me|us|back|this|final|data|information|everything|all|exclusively|just|always|with|in|as|using|one|single|valid|raw|strict|plain|well-formed|following|list|set)){0,8}?";
/** What has JSON in its name, and is none. */
const notAbout =
  "(?!\\.\\w|[ -](?:files?|data|schemas?|pars(?:er|ing)|library|module|api|strings?|keys?|paths?|web|lines|documents?|format(?:ter|ting)))";
const asked = new RegExp(
  `^(?:only |just |always )?(?:answer|respond|reply|output|return|format|provide|give|write|produce|generate|present|print)${between}\\s+json\\b${notAbout}(?:\\s+(object|array|list))?`,
  "i",
);
const askedAfter = new RegExp(
  `\\b(?:and|then) (?:return|output|present|format|give|provide|write)\\s+(?:it|them|(?:the|your) (?:results?|output|answers?|names?|list|findings))\\s+(?:only )?(?:as|in)(?: (?:a|an|valid|one|single))*\\s+json\\b${notAbout}(?:\\s+(object|array|list))?`,
  "i",
);
const askedOfAnswer =
  /^(?:your|the) (?:\w+ )?(?:answer|response|reply|output|result) (?:must|should|has to|needs to|is to|shall|will) (?:only )?(?:be|contain|consist of)(?: (?:in|as|a|an|only|one|single|valid|of|strictly|formatted))*\s+json\b(?:\s+(object|array|list))?/i;
const alone =
  /\b(?:only|nothing else|no other text|no extra text|no additional text|without any other|exclusively|just)\b/i;
const other =
  /\b(?:schema file|then|followed by|and explain|afterwards|code|function|script|program|parser|example of)\b/i;
const named = /\b(?:keys?|fields?|properties|attributes)\b(?: (?:called|named))?:?\s+/i;

/** "Answer as JSON", with the keys that are named, or by the schema in the prompt. */
export const checkJson: Rule = (instruction, reading) => {
  const { text } = instruction;
  const found = asked.exec(text) ?? askedOfAnswer.exec(text) ?? askedAfter.exec(text);
  if (found === null || other.test(text)) return [];
  if (isConditional(text, found.index, found[0].length)) return [];
  const json = findJson(reading.response.text);
  if (json === null) return [broken(instruction, reading, `${asks} JSON, and the response has none that can be read.`)];
  if (!json.whole && alone.test(text)) {
    return [broken(instruction, reading, `${asks} JSON alone, and there is other text around it.`)];
  }
  const problem =
    findKindProblem(json, found[1]) ??
    findKeyProblem(json, instruction) ??
    findSchemaProblem(json, reading.prompt.text);
  if (problem !== null) return [broken(instruction, reading, `${asks} JSON ${problem}.`, json.range)];
  return [followed(instruction, reading, "The response is JSON, as the prompt asks.")];
};

const asks = "The prompt asks for";

function findKindProblem({ value }: FoundJson, kind: string | undefined): string | null {
  const isArray = Array.isArray(value);
  if (kind?.toLowerCase() === "object" && (isArray || !isRecord(value)))
    return "in the form of an object, and it is none";
  if (kind !== undefined && kind.toLowerCase() !== "object" && !isArray && !holdsArray(value)) {
    return "in the form of a list, and it has none";
  }
  return null;
}

function holdsArray(value: unknown): boolean {
  return isRecord(value) && Object.values(value).some((inner) => Array.isArray(inner));
}

function findKeyProblem({ value }: FoundJson, { text }: Instruction): string | null {
  const at = named.exec(text);
  if (at === null || /\boptional\b/i.test(text)) return null;
  const keys = readQuoted(text.slice(at.index)).filter((key) => /^[\w-]{1,60}$/.test(key));
  const present = new Set<string>();
  collectKeys(value, present, 0);
  const missing = keys.find((key) => !present.has(key));
  return missing === undefined ? null : `with the key "${missing}", and it has none of that name`;
}

const deepest = 20;

function collectKeys(value: unknown, into: Set<string>, depth: number): void {
  if (depth > deepest || typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    into.add(key);
    collectKeys(inner, into, depth + 1);
  }
}

function findSchemaProblem({ value }: FoundJson, prompt: string): string | null {
  const problem = findSchema(prompt)?.(value) ?? null;
  return problem === null ? null : `by a schema, and it does not fit: ${problem}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
