/** Most characters of a text in a row of a table. */
const longestText = 300;

/** Cuts a text to 300 characters for a table row, and ends it with "…" so that the user sees the cut. */
export function cutText(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText - 1).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
}

/** Leaves a text uncut: copied rows have whole texts. */
export function wholeText(text: string): string {
  return text;
}
