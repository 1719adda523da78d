import { type FileView, foldText } from "#contract";
import type { FilesSearch } from "./search-params.ts";

/** The files that fit the search, in its order; the newest first by default. */
export function arrangeFiles(files: readonly FileView[], search: FilesSearch): readonly FileView[] {
  const { purpose, find = "", sort = "created", order = sort === "filename" ? "asc" : "desc" } = search;
  const wanted = foldText(find);
  const found = files.filter(
    (file) =>
      (purpose === undefined || file.purpose === purpose) &&
      (wanted === "" ||
        [file.filename, file.id, ...file.batches.map(({ name }) => name)].some((text) =>
          foldText(text).includes(wanted),
        )),
  );
  const direction = order === "asc" ? 1 : -1;
  return found.toSorted((a, b) => direction * compare(a, b, sort));
}

function compare(a: FileView, b: FileView, sort: NonNullable<FilesSearch["sort"]>): number {
  switch (sort) {
    case "filename":
      return a.filename.localeCompare(b.filename, undefined, { numeric: true });
    case "bytes":
      return a.bytes - b.bytes;
    case "batches":
      return a.batches.length - b.batches.length;
    case "created":
      return a.createdAt - b.createdAt;
  }
}

export interface Sum {
  readonly files: number;
  readonly bytes: number;
}

/** How much the files of each purpose take. */
export function sumFiles(files: readonly FileView[]): Record<"all" | "batch" | "batch_output", Sum> {
  const sumOf = (chosen: readonly FileView[]) => ({
    files: chosen.length,
    bytes: chosen.reduce((sum, { bytes }) => sum + bytes, 0),
  });
  return {
    all: sumOf(files),
    batch: sumOf(files.filter(({ purpose }) => purpose === "batch")),
    batch_output: sumOf(files.filter(({ purpose }) => purpose === "batch_output")),
  };
}
