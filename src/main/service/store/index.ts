export { type Archive, openArchive } from "./archive.ts";
export { DataDirError, type DataDirErrorCode } from "./data-dir-error.ts";
export { findNames, listDebris, removeDebris } from "./debris.ts";
export { listUploads, placesIn } from "./folder.ts";
export type { HeldFolder } from "./hold-folder.ts";
export { lockDataDir } from "./lock.ts";
export { listNotFiles } from "./not-files.ts";
export type { Notices } from "./notices.ts";
export { shortList } from "./open-journal.ts";
export { refuseNewer } from "./read-journal.ts";
export { type FolderRecords, readRecords, writeCopiedJournal } from "./read-records.ts";
export type { BatchRecord, BatchTimes, FileRecord, ReusedAnswers, Throughput } from "./records.ts";
export {
  openStore,
  readStoredFolder,
  type Setting,
  type Storage,
  type Store,
  type StoredFolder,
  type Table,
} from "./store.ts";
