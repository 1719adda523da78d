/** The smallest single replacement that turns one text into another. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** With the line breaks of an editor, so that offsets in a text are the same everywhere. */
export function withPlainBreaks(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

/**
 * Finds what changed between the text of an editor and another one, so that the cursor can stay where it is. A break that is
 * only written otherwise is no change: the editor would take its \r for one more.
 */
export function findMinimalChange(before: string, wanted: string): TextChange | null {
  const after = withPlainBreaks(wanted);
  if (before === after) return null;
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
