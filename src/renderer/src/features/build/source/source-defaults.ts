import { defaultCustomId, placeholderFor, type Source } from "#contract";
import type { DraftContent } from "../draft/draft-content.ts";
import { examples } from "../draft/examples.ts";

const idColumns = ["id", "custom_id"];

/** The line id a source suggests: its column of ids, if there is one, else the rows counted. */
export function suggestCustomId(columns: readonly string[]): string {
  const names = columns.map((column) => column.toLowerCase());
  const index = idColumns.map((name) => names.indexOf(name)).find((at) => at >= 0);
  const column = index === undefined ? undefined : columns[index];
  return column === undefined ? defaultCustomId : placeholderFor(column);
}

/** The line id after the columns have changed: a suggestion for the former columns is replaced by one for the new. */
export function followColumns(customId: string, before: readonly string[], after: readonly string[]): string {
  const suggested = ["", defaultCustomId, suggestCustomId(before)];
  return suggested.includes(customId.trim()) ? suggestCustomId(after) : customId;
}

/** A batch's name from its file's: `reviews.csv` gives `reviews`. */
export function nameFromFile(fileName: string): string {
  return fileName.replace(/\.[^.]*$/, "").slice(0, 200) || fileName.slice(0, 200);
}

/**
 * What changes in a draft with a new source. What the user has written stays; a name and a line id that
 * came from `previous`, the source before, or from an example, or that are still empty follow the new one.
 */
export function applySource(
  content: DraftContent,
  source: Source,
  previous: Source | undefined,
): Partial<DraftContent> & Pick<DraftContent, "sourceId"> {
  const given = Object.values(examples).map(({ name }) => name);
  if (previous !== undefined) given.push(nameFromFile(previous.name));
  const nameFollows = content.name.trim() === "" || given.includes(content.name);
  return {
    sourceId: source.id,
    layout: null,
    ...(nameFollows ? { name: nameFromFile(source.name) } : {}),
    ...(source.holds === "rows"
      ? { customId: followColumns(content.customId, previous?.columns ?? [], source.columns) }
      : {}),
  };
}
