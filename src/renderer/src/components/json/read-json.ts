import { endOfJsonString } from "#contract";

/** JSON deeper than this is indented no further: each level would be narrower, and a million levels are no text. */
const mostIndented = 40;

/** A text to show, and where in it keys begin that their object has more than once. */
export interface ReadJson {
  readonly text: string;
  readonly repeated: ReadonlySet<number>;
}

/** Whether a text is a JSON object or list. */
export function isJsonText(text: string): boolean {
  return /^\s*[[{]/.test(text) && isJson(text);
}

/**
 * JSON text, indented by two spaces if that is asked for. Everything else stays as it was written: numbers, escapes, the order
 * of keys and keys that are there twice. A text that is not JSON is returned as it is.
 */
export function readJson(text: string, isIndented: boolean): ReadJson {
  if (!isJson(text)) return { text, repeated: new Set() };
  const pieces: string[] = [];
  const repeated = new Set<number>();
  /** Of each open object its keys, with where each begins; null for a list. */
  const open: (Map<string, number> | null)[] = [];
  let length = 0;
  const put = (piece: string) => {
    pieces.push(piece);
    length += piece.length;
  };
  const breakLine = () => {
    if (isIndented) put(`\n${"  ".repeat(Math.min(open.length, mostIndented))}`);
  };
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    at = end;
    if (isSpace(token)) {
      if (!isIndented) put(token);
      continue;
    }
    if (token === "}" || token === "]") {
      open.pop();
      breakLine();
    }
    const keys = open.at(-1);
    if (keys && token.startsWith('"') && text[skipSpace(text, at)] === ":") {
      const key = String(JSON.parse(token));
      const first = keys.get(key);
      if (first === undefined) keys.set(key, length);
      else repeated.add(first).add(length);
    }
    put(token);
    if (token === "{" || token === "[") {
      const next = skipSpace(text, at);
      if (isIndented && (text[next] === "}" || text[next] === "]")) {
        put(text[next] ?? "");
        at = next + 1;
        continue;
      }
      open.push(token === "{" ? new Map() : null);
      breakLine();
    } else if (token === ",") breakLine();
    else if (token === ":" && isIndented) put(" ");
  }
  return { text: pieces.join(""), repeated };
}

/** A field of an object: its value is as it was written. */
export interface JsonField {
  /** Where its key begins in the text: names it among fields of the same key. */
  readonly at: number;
  readonly key: string;
  readonly value: string;
  /** Whether the object has the key more than once. */
  readonly isRepeated: boolean;
}

/** Answers with more fields, or longer ones, are shown as a text. */
const mostFields = 100;
const longestObject = 200_000;

/** The fields of a text that is a JSON object, in their order; null for every other text, and for one that is too large for a table. */
export function splitFields(text: string): readonly JsonField[] | null {
  if (text.length > longestObject || !/^\s*\{/.test(text) || !isJson(text)) return null;
  const fields: Omit<JsonField, "isRepeated">[] = [];
  let depth = 0;
  /** Of the field that is being read. */
  let key: Pick<JsonField, "at" | "key"> | null = null;
  let valueAt = -1;
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    if (depth === 1 && key === null && token.startsWith('"')) key = { at, key: String(JSON.parse(token)) };
    else if (depth === 1 && valueAt < 0 && token === ":") valueAt = end;
    else if (depth === 1 && (token === "," || token === "}")) {
      if (key !== null) fields.push({ ...key, value: text.slice(valueAt, at).trim() });
      key = null;
      valueAt = -1;
    } else if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    at = end;
  }
  const counts = Map.groupBy(fields, (field) => field.key);
  return fields.length === 0 || fields.length > mostFields
    ? null
    : fields.map((field) => ({ ...field, isRepeated: (counts.get(field.key)?.length ?? 0) > 1 }));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const endOfWord = /[^\w.+-]/g;

/** Where a string, a number or word, or a mark ends that begins at a place; white space is one character at a time. */
function endOfToken(text: string, start: number): number {
  if (text[start] === '"') return endOfJsonString(text, start);
  endOfWord.lastIndex = start;
  const end = endOfWord.exec(text)?.index ?? text.length;
  return Math.max(end, start + 1);
}

function isSpace(token: string): boolean {
  return token === " " || token === "\n" || token === "\r" || token === "\t";
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text[at] ?? "")) at += 1;
  return at;
}
