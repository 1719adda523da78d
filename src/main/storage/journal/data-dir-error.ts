export type DataDirErrorCode =
  | "data_dir_in_use"
  | "data_dir_newer"
  | "data_dir_not_migrated"
  | "data_dir_unreadable"
  | "journal_missing";

/** Why the service can't start on a data folder, as a sentence for the person who starts it. */
export class DataDirError extends Error {
  override readonly name = "DataDirError";
  readonly code: DataDirErrorCode;

  constructor(code: DataDirErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
