/** The name under which every template has the number of its row, from 1, unless a column has that name. */
export const rowNumberName = "row_number";

/** The line ids of a draft whose source suggests no better ones. */
export const defaultCustomId = `line-{{ ${rowNumberName} }}`;

/** Words that Liquid reads as values or operators, not as names. */
const reserved = new Set(["true", "false", "nil", "null", "empty", "blank", "and", "or", "not", "contains"]);

const plainName = /^[\p{L}_][\p{L}\p{N}_-]*\??$/u;
/** What every text has a property of that name already. */
const textProperties = new Set(["size", "first", "last"]);

/**
 * How a template names a column: `{{ question }}` or, of an inner object, `{{ meta.lang }}`; where the name is not one plain word, in brackets and quotes, as in
 * `{{ ["my column"] }}`.
 */
export function placeholderFor(column: string): string {
  const [root = "", ...keys] = column.split(".");
  const isPlain = plainName.test(root) && !reserved.has(root);
  if (isPlain && keys.every((key) => plainName.test(key) && !textProperties.has(key))) return `{{ ${column} }}`;
  return column.includes('"') ? `{{ ['${escapeIn(column, "'")}'] }}` : `{{ ["${escapeIn(column, '"')}"] }}`;
}

function escapeIn(text: string, quote: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
}
