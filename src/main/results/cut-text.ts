/** Most characters of a text in a row of a table. */
const longestText = 300;

/** A text as a row of a table has it. A long one ends with "…", so that nobody takes it for the whole. */
export function cutText(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText - 1).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
}

/** A text as it is: for rows that are copied. */
export function wholeText(text: string): string {
  return text;
}
