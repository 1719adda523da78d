import { endOfJsonString, type Replacement } from "#contract";

/** A replacement in the lines of a file of requests. Every other byte of a line stays as it is. */
export type Replace = (line: string) => string;

export function createReplace({ path, from, to }: Replacement): Replace {
  const steps = toSteps(path);
  return (line) => {
    const place = findPlace(line, steps);
    if (place === null || readScalar(line, place) !== from) return line;
    const isText = line[place.start] === '"';
    return `${line.slice(0, place.start)}${isText || !isScalar(to) ? JSON.stringify(to) : to}${line.slice(place.end)}`;
  };
}

/** The value at a path of a line: a text as it is, any other as its JSON; null for an object, a list, or none. */
export function readValue(line: string, path: string): string | null {
  const place = findPlace(line, toSteps(path));
  return place === null ? null : readScalar(line, place);
}

/** `body.messages[0].content`, as problems name their parameter. */
function toSteps(path: string): readonly string[] {
  return path.match(/[^.[\]]+/g) ?? [];
}

interface Place {
  readonly start: number;
  readonly end: number;
}

function readScalar(line: string, { start, end }: Place): string | null {
  const text = line.slice(start, end);
  if (text.startsWith("{") || text.startsWith("[")) return null;
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}

function isScalar(text: string): boolean {
  return /^(-?\d+(\.\d+)?([eE][+-]?\d+)?|true|false|null)$/.test(text);
}

/** The place of the value at a path in a line of JSON, the last where a key is there twice, as parsers read it. */
function findPlace(line: string, steps: readonly string[]): Place | null {
  const token = /\s*("|[{}[\],:]|[^\s{}[\],:"]+)/y;

  function next(): Place & { readonly text: string } {
    const [, begin = ""] = token.exec(line) ?? [];
    if (begin === "") throw new SyntaxError("The line is not JSON.");
    const start = token.lastIndex - begin.length;
    if (begin === '"') token.lastIndex = endOfJsonString(line, start);
    return { text: line.slice(start, token.lastIndex), start, end: token.lastIndex };
  }

  /** Reads the value that begins with `first`, and looks in it for what is left of the path; null looks for nothing. */
  function read(first: ReturnType<typeof next>, path: readonly string[] | null): { found: Place | null; end: number } {
    const [step, ...rest] = path ?? [];
    if (step === undefined || (first.text !== "{" && first.text !== "[")) {
      const end = skip(first);
      return { found: path?.length === 0 ? { start: first.start, end } : null, end };
    }
    const isList = first.text === "[";
    let found: Place | null = null;
    let part = next();
    for (let index = 0; part.text !== "}" && part.text !== "]"; index += 1) {
      const isWanted = (isList ? String(index) : String(JSON.parse(part.text))) === step;
      if (!isList && next().text !== ":") throw new SyntaxError("The line is not JSON.");
      const inner = read(isList ? part : next(), isWanted ? rest : null);
      if (isWanted) found = inner.found;
      part = next();
      if (part.text === ",") part = next();
    }
    return { found, end: part.end };
  }

  /** The end of the value that begins with `first`. */
  function skip(first: ReturnType<typeof next>): number {
    let part = first;
    for (let depth = 0; ; part = next()) {
      if (part.text === "{" || part.text === "[") depth += 1;
      if (part.text === "}" || part.text === "]") depth -= 1;
      if (depth === 0) return part.end;
    }
  }

  try {
    return steps.length === 0 ? null : read(next(), steps).found;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
