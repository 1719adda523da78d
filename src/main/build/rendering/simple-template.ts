import { Output, type Template, TypeGuards } from "liquidjs";

/** A text, or the name of a column whose text is put there. */
type Part = string | { readonly column: string };

/**
 * The parts of a template that has only texts and column names; null for any other. Joining them takes 0.4 µs a row, Liquid
 * 13 µs.
 */
export function findSimpleParts(templates: readonly Template[]): readonly Part[] | null {
  const parts = templates.map(findPart);
  return parts.every((part) => part !== null) ? parts : null;
}

function findPart(template: Template): Part | null {
  if ("str" in template && typeof template.str === "string") return template.str;
  if (!(template instanceof Output)) return null;
  const { filters, initial } = template.value;
  const [token, ...others] = initial.postfix;
  // The one filter prints the value.
  if (filters.length !== 1 || others.length > 0 || !TypeGuards.isPropertyAccessToken(token)) return null;
  const [name, ...properties] = token.props;
  if (token.variable !== undefined || properties.length > 0 || name === undefined) return null;
  return "content" in name && typeof name.content === "string" ? { column: name.content } : null;
}

/** The text for a row. Null where a cell is empty, a number or a list: Liquid prints those. */
export function joinSimpleParts(parts: readonly Part[], cells: Readonly<Record<string, unknown>>): string | null {
  let joined = "";
  for (const part of parts) {
    const text = typeof part === "string" ? part : Object.hasOwn(cells, part.column) ? cells[part.column] : null;
    if (typeof text !== "string") return null;
    joined += text;
  }
  return joined;
}
