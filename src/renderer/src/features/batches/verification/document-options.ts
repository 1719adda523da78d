import type { DocumentChoice } from "#contract";

/** A choice as the value of an option: a column may have any name. */
export function toValue(document: DocumentChoice): string {
  return document.from === "column" ? `column:${document.column}` : document.from;
}

const column = "column:";

export function fromValue(value: string): DocumentChoice {
  if (value.startsWith(column)) return { from: "column", column: value.slice(column.length) };
  return value === "system_message" ? { from: "system_message" } : { from: "none" };
}

/** What can be the document of the lines of a batch, grouped for a select. */
export function listDocuments({ columns, hasSystemMessages }: { columns: string[]; hasSystemMessages: boolean }) {
  const always = [{ value: "none", label: "None: the prompt is all there is to go by" }];
  const system = hasSystemMessages ? [{ value: "system_message", label: "The system message" }] : [];
  // The same name twice would be the same option twice.
  const items = [...new Set(columns)].map((name) => ({
    value: toValue({ from: "column", column: name }),
    label: name,
  }));
  return items.length === 0
    ? [...always, ...system]
    : [...always, ...system, { group: "A column of the table it was built from", items }];
}
