import { rowNumberName } from "#contract";

/**
 * One placeholder or tag of a template, from `from` to before `to`.
 * `column`: its column exists. `unknown`: it names something that no row has. `value`: an expression that names
 * no column, such as a number, or what the template itself assigned. `tag`: `{% … %}`. `unclosed`: its end is missing.
 */
export interface Placeholder {
  readonly kind: "column" | "unknown" | "value" | "tag" | "unclosed";
  readonly from: number;
  readonly to: number;
  /** The column it names, as far as it names one. */
  readonly name: string | null;
}

/** `{{ output }}`, `{% tag %}`, or one of their openings with all that could belong to it. */
const token =
  /\{\{(?<output>(?:(?!\{\{|\{%).)*?)\}\}|\{%(?<tag>(?:(?!\{\{|\{%).)*?)%\}|(?:\{\{|\{%)[^\n]*?(?=\{\{|\{%|\n|$)/gs;
const quotedName = /^\[\s*(?:"((?:\\.|[^"])*)"|'((?:\\.|[^'])*)')\s*\]/;
const plainName = /^[\p{L}_][\p{L}\p{N}_-]*\??/u;
/** What may follow the name of a column: nothing, filters, or a property that Liquid gives every text. */
const columnEnd = /^(?:\.(?:size|first|last)\b)?\s*(?:\||$)/;
const literalWord = /^(?:true|false|nil|null|empty|blank)$/;
const otherLiteral = /^["'\d(-]/;
const assignment = /^(?:assign|capture|for|tablerow)\s+([\p{L}_][\p{L}\p{N}_-]*)/u;

/** Finds the placeholders of a Liquid template, in order, and which of them name one of `columns`. */
export function findPlaceholders(text: string, columns: readonly string[]): Placeholder[] {
  const names = { columns: new Set([...columns, rowNumberName]), assigned: new Set<string>() };
  const found: Placeholder[] = [];
  /** `raw` or `comment` while inside one: nothing is read there but its end. */
  let skipped: string | null = null;
  for (const match of text.matchAll(token)) {
    const range = { from: match.index, to: match.index + match[0].length };
    const { output, tag } = match.groups ?? {};
    if (tag !== undefined) {
      const words = trimInner(tag);
      const [keyword = ""] = words.split(/\s/);
      if (skipped !== null && keyword !== `end${skipped}`) continue;
      skipped = keyword === "raw" || keyword === "comment" ? keyword : null;
      for (const name of readAssigned(words)) names.assigned.add(name);
      found.push({ kind: "tag", ...range, name: null });
    } else if (skipped === null) {
      const read = output === undefined ? ({ kind: "unclosed", name: null } as const) : readOutput(output, names);
      found.push({ ...range, ...read });
    }
  }
  return found;
}

/** Without the white space and the hyphens that only trim what is around. */
function trimInner(inner: string): string {
  return inner.replace(/^-/, "").replace(/-$/, "").trim();
}

function readAssigned(tag: string): string[] {
  const name = assignment.exec(tag)?.[1];
  return name === undefined ? [] : [name, "forloop", "tablerowloop"];
}

interface KnownNames {
  readonly columns: ReadonlySet<string>;
  readonly assigned: ReadonlySet<string>;
}

function readOutput(output: string, names: KnownNames): Pick<Placeholder, "kind" | "name"> {
  const expression = trimInner(output);
  const quoted = quotedName.exec(expression);
  if (quoted !== null) {
    const name = (quoted[1] ?? quoted[2] ?? "").replaceAll(/\\(.)/g, "$1");
    return { kind: names.columns.has(name) ? "column" : "unknown", name };
  }
  const name = plainName.exec(expression)?.[0];
  if (name === undefined) return { kind: otherLiteral.test(expression) ? "value" : "unknown", name: expression };
  if (literalWord.test(name) || names.assigned.has(name)) return { kind: "value", name: null };
  const path = findPath(expression, name, names.columns);
  if (path !== null) return { kind: "column", name: path };
  const isColumn = names.columns.has(name) && columnEnd.test(expression.slice(name.length));
  return isColumn ? { kind: "column", name } : { kind: "unknown", name: expression };
}

/** The column of an inner object that an expression starts with, by its path: `meta.lang`. */
function findPath(expression: string, name: string, columns: ReadonlySet<string>): string | null {
  const keys = /^(?:\.[\p{L}_][\p{L}\p{N}_-]*)+/u.exec(expression.slice(name.length))?.[0].slice(1).split(".") ?? [];
  for (let count = keys.length; count > 0; count--) {
    const path = [name, ...keys.slice(0, count)].join(".");
    if (columns.has(path) && columnEnd.test(expression.slice(path.length))) return path;
  }
  return null;
}
