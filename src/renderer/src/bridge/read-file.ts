/** A file of the user that can't be read, in words. */
export class FileReadError extends Error {
  override readonly name = "FileReadError";
  /** What the browser said. */
  readonly details: string;

  constructor(file: string, cause: unknown) {
    super(`“${file}” was moved or changed while it was read. Choose it again.`);
    this.details = `${this.message}\n${cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)}`;
  }
}

/** A part of a file, in memory. Rejects with a FileReadError where the file is gone or another one now. */
export async function readChunk(file: Pick<File, "name" | "slice">, start: number, end: number): Promise<Blob> {
  try {
    return new Blob([await file.slice(start, end).arrayBuffer()]);
  } catch (error) {
    throw new FileReadError(file.name, error);
  }
}

/** What was dropped or pasted, by whether it can be read: a folder comes as a file that can't be. */
export function sortDropped(transfer: { readonly items: Iterable<DroppedItem> } | null): {
  readonly files: File[];
  readonly folders: string[];
} {
  const [files, folders]: [File[], string[]] = [[], []];
  for (const item of transfer?.items ?? []) {
    const file = item.getAsFile();
    const entry = file === null ? null : item.webkitGetAsEntry();
    if (entry?.isDirectory) folders.push(entry.name);
    else if (file !== null) files.push(file);
  }
  return { files, folders };
}

interface DroppedItem extends Pick<DataTransferItem, "getAsFile"> {
  webkitGetAsEntry(): Pick<FileSystemEntry, "name" | "isDirectory"> | null;
}

/** Why a folder is not taken, as a title and what to do. */
export function describeFolder(name: string): { readonly title: string; readonly message: string } {
  return { title: `“${name}” is a folder`, message: "Folders can’t be read. Open it, and drop the files in it." };
}
