/** What the file chooser offers first. */
export const acceptedFiles = ".csv,.tsv,.txt,.jsonl,.ndjson,.json";

const otherKinds: readonly (readonly [RegExp, string])[] = [
  [/\.(xlsx?|xlsm|ods|numbers)$/i, "Spreadsheets are not read yet. Save the sheet as CSV, and drop that file."],
  [/\.(zip|gz|tgz|bz2|xz|7z|rar)$/i, "It is compressed. Unpack it, and drop the file inside."],
  [/\.(pdf|docx?|pptx?|rtf|odt)$/i, "Documents are not read. Drop a table as CSV or JSONL."],
  [/\.(parquet|arrow|feather|sqlite|db)$/i, "This format is not read. Export it as CSV or JSONL, and drop that file."],
  [/\.(png|jpe?g|gif|webp|svg|mp[34]|mov|wav)$/i, "Pictures and sound are not read. Drop a table as CSV or JSONL."],
];

/** Says why a file can't be a source, as far as its name and size tell; null when it may be one. */
export function explainUnreadable(file: { readonly name: string; readonly size: number }): string | null {
  const reason = otherKinds.find(([pattern]) => pattern.test(file.name))?.[1];
  if (reason !== undefined) return `${file.name} can’t be used. ${reason}`;
  return file.size === 0 ? `${file.name} is empty. Choose a file with at least one row.` : null;
}

/** Text from the clipboard as a file, when it looks like rows: several lines, or a line of JSON. Else null. */
export function readPastedRows(text: string): File | null {
  const trimmed = text.trim();
  const isJson = trimmed.startsWith("{");
  if (!isJson && !trimmed.includes("\n")) return null;
  return new File([text], isJson ? "Pasted rows.jsonl" : "Pasted rows.csv", { type: "text/plain" });
}
