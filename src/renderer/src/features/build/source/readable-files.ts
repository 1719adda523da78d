/** What the file chooser offers first. */
export const acceptedFiles = ".csv,.tsv,.tab,.txt,.xlsx,.xlsm,.xls,.xlsb,.ods,.html,.json,.jsonl,.ndjson,.parquet";

const otherKinds: readonly (readonly [RegExp, string])[] = [
  [/\.numbers$/i, "This kind of spreadsheet is not read. Save it as XLSX or CSV, and drop that file."],
  [/\.(zip|gz|tgz|bz2|xz|7z|rar)$/i, "It is compressed. Unpack it, and drop the file inside."],
  [/\.(pdf|docx?|pptx?|rtf|odt)$/i, "Documents are not read. Drop a table, such as XLSX or CSV."],
  [/\.(arrow|feather|sqlite|db)$/i, "This format is not read. Export it as Parquet, CSV or JSONL, and drop that file."],
  [
    /\.(png|jpe?g|gif|webp|svg|mp[34]|mov|wav)$/i,
    "Pictures and sound are not read. Drop a table, such as XLSX or CSV.",
  ],
];

/** Why a file can't be a source, judged by its name and size, and what to do; null when it may be one. */
export function explainUnreadable(file: { readonly name: string; readonly size: number }): string | null {
  const reason = otherKinds.find(([pattern]) => pattern.test(file.name))?.[1];
  if (reason !== undefined) return reason;
  return file.size === 0 ? "It is empty. Choose a file with at least one row." : null;
}

/** What the clipboard has, each as a text; empty where it has none. */
export interface PastedText {
  readonly plain: string;
  readonly html: string;
}

/**
 * Text from the clipboard as a file, when it looks like rows: cells of a spreadsheet, a table of a page, several lines, or
 * JSON. Else null. A table is taken as HTML: there a line break or a quote within a cell can't be mistaken.
 */
export function readPastedRows({ plain, html }: PastedText): File | null {
  const trimmed = plain.trim();
  const isJson = /^(?:\{|\[\s*[{["\]\d])/.test(trimmed);
  if (!isJson && !/[\n\t]/.test(trimmed)) return null;
  if (!isJson && /<t[dh][\s>]/i.test(html)) {
    return new File([`<!doctype html>${html}`], "Pasted rows.html", { type: "text/html" });
  }
  const [firstLine = ""] = trimmed.split("\n", 1);
  const extension = isJson ? "json" : firstLine.includes("\t") ? "tsv" : "txt";
  return new File([plain], `Pasted rows.${extension}`, { type: "text/plain" });
}
