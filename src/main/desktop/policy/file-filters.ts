import { extname } from "node:path";

interface FileFilter {
  readonly name: string;
  readonly extensions: string[];
}

const fileKinds: Readonly<Record<string, string>> = {
  ".jsonl": "JSON Lines",
  ".csv": "CSV",
  ".xlsx": "Excel workbook",
  ".parquet": "Parquet",
};

/**
 * The kinds of files that a save dialog offers for a name. A folder has none: GTK's dialog would cut the name that its user enters at
 * the last dot, to give it the kind's extension.
 */
export function listFilters(suggestedName: string): readonly FileFilter[] {
  const extension = extname(suggestedName);
  if (extension === "") return [];
  return [
    { name: fileKinds[extension] ?? "File", extensions: [extension.slice(1)] },
    { name: "All files", extensions: ["*"] },
  ];
}
