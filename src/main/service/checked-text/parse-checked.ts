import { type Document, isMap, isNode, isPair, isScalar, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { listProblems, type TextProblem } from "./list-problems.ts";

/** A text that can't be used: every mistake in it, each with its place as `file:line: message`. */
export class TextError extends Error {
  override readonly name: string = "TextError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/**
 * Reads a text that people write: YAML, or JSON, which is YAML, too. Throws a TextError that tells all that is wrong.
 * `file` is its name in the messages.
 */
export function parseChecked<T extends z.ZodType>(text: string, file: string, schema: T): z.infer<T> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new TextError(document.errors.map(({ pos, message }) => `${file}:${lines.linePos(pos[0]).line}: ${message}`));
  }
  const { data, error } = schema.safeParse(toValue(document, file), { reportInput: true });
  if (error === undefined) return data;
  const placed = listProblems(error).map((problem) => {
    const { line } = lines.linePos(findOffset(document, problem));
    return { line, text: `${file}:${line}: ${problem.message}` };
  });
  throw new TextError(placed.sort((a, b) => a.line - b.line).map((problem) => problem.text));
}

function toValue(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // Aliases that multiply without end.
    throw new TextError([`${file}:1: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

/** Where in the text a problem is: at its key, else at the nearest thing around it that is there. */
function findOffset(document: Document.Parsed, { path, keys }: TextProblem): number {
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
