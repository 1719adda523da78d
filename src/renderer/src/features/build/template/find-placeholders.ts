/** Names that every template knows beside the columns of its source. */
export const builtInNames: readonly string[] = ["row_number"];

/**
 * One placeholder or tag of a template, from `from` to before `to`.
 * `column`: its column exists. `unknown`: it names something that no row has. `value`: an expression that names
 * no column, such as a number. `tag`: `{% … %}`. `unclosed`: its end is missing.
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
const quotedName = /^\[\s*(?:"([^"]*)"|'([^']*)')\s*\]/;
const plainPath = /^[\p{L}_][\p{L}\p{N}_-]*\??(?:\.[\p{L}_][\p{L}\p{N}_-]*)*/u;
const literalWord = /^(?:true|false|nil|null|empty|blank)$/;
const otherLiteral = /^["'\d(-]/;
const assignment = /^(?:assign|capture|for|tablerow|increment|decrement)\s+([\p{L}_][\p{L}\p{N}_-]*)/u;

/** Finds the placeholders of a Liquid template, in order, and says which of them name one of `columns`. */
export function findPlaceholders(text: string, columns: readonly string[]): Placeholder[] {
  const known = new Set([...columns, ...builtInNames]);
  const found: Placeholder[] = [];
  /** `raw` or `comment` while inside one: nothing is read there but its end. */
  let skipped: string | null = null;
  for (const match of text.matchAll(token)) {
    const place = { from: match.index, to: match.index + match[0].length };
    const { output, tag } = match.groups ?? {};
    if (tag !== undefined) {
      const words = trimInner(tag);
      const [keyword = ""] = words.split(/\s/);
      if (skipped !== null && keyword !== `end${skipped}`) continue;
      skipped = keyword === "raw" || keyword === "comment" ? keyword : null;
      for (const name of readAssigned(words)) known.add(name);
      found.push({ kind: "tag", ...place, name: null });
    } else if (skipped === null) {
      const read = output === undefined ? ({ kind: "unclosed", name: null } as const) : readOutput(output, known);
      found.push({ ...place, ...read });
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

function readOutput(output: string, known: ReadonlySet<string>): Pick<Placeholder, "kind" | "name"> {
  const expression = trimInner(output);
  const quoted = quotedName.exec(expression);
  if (quoted !== null) {
    const name = quoted[1] ?? quoted[2] ?? "";
    return { kind: known.has(name) ? "column" : "unknown", name };
  }
  const path = plainPath.exec(expression)?.[0];
  if (path === undefined) return { kind: otherLiteral.test(expression) ? "value" : "unknown", name: expression };
  if (literalWord.test(path)) return { kind: "value", name: null };
  const rest = expression.slice(path.length).trimStart();
  if (rest !== "" && !rest.startsWith("|") && !rest.startsWith("[")) return { kind: "unknown", name: expression };
  const [root = path] = path.split(".");
  return { kind: known.has(path) || known.has(root) ? "column" : "unknown", name: path };
}

/** The placeholder that stands for a column: `{{ name }}`, quoted where the name is not a plain word. */
export function placeholderFor(column: string): string {
  const match = /^[\p{L}_][\p{L}\p{N}_-]*$/u.exec(column);
  if (match !== null && !literalWord.test(column)) return `{{ ${column} }}`;
  const quote = column.includes('"') ? "'" : '"';
  return `{{ [${quote}${column}${quote}] }}`;
}
