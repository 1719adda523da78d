import { z } from "zod";
import { DataDirError, type ErrorCodec } from "#main/storage";

/** A folder that can't be what is asked for, as a sentence for the user. */
export class FolderError extends Error {
  override readonly name = "FolderError";
  /** Whether an examination tells more. */
  readonly isDamage: boolean;

  constructor(message: string, { isDamage = false, ...options }: ErrorOptions & { readonly isDamage?: boolean } = {}) {
    super(message, options);
    this.isDamage = isDamage;
  }
}

const dataSchema = z.object({ message: z.string() });

/** Sentences for the user cross the border of a thread. */
export const folderErrors: ErrorCodec = {
  serialize: (error) =>
    error instanceof FolderError || error instanceof DataDirError ? { message: error.message } : undefined,
  deserialize(data) {
    const parsed = dataSchema.safeParse(data);
    return parsed.success ? new FolderError(parsed.data.message) : undefined;
  },
};
