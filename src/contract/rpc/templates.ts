/** The name under which every template has the number of its row, from 1, unless a column has that name. */
export const rowNumberName = "row_number";

/** The line ids of a draft whose source suggests no better ones. */
export const defaultCustomId = `line-{{ ${rowNumberName} }}`;

/** Words that Liquid reads as values or operators, not as names. */
const reserved = new Set(["true", "false", "nil", "null", "empty", "blank", "and", "or", "not", "contains"]);

/**
 * How a template names a column: `{{ question }}`; where the name is not one plain word, in brackets and quotes, as in
 * `{{ ["my column"] }}`.
 */
export function placeholderFor(column: string): string {
  if (/^[\p{L}_][\p{L}\p{N}_-]*\??$/u.test(column) && !reserved.has(column)) return `{{ ${column} }}`;
  return column.includes('"') ? `{{ ['${escapeIn(column, "'")}'] }}` : `{{ ["${escapeIn(column, '"')}"] }}`;
}

function escapeIn(text: string, quote: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
}
