export { type Archive, openArchive } from "./archive.ts";
export { DataDirError, type DataDirErrorCode } from "./data-dir-error.ts";
export type { Notices } from "./notices.ts";
export type { BatchRecord, BatchTimes, FileRecord, RemotePart, ReusedAnswers, Throughput } from "./records.ts";
export {
  openStore,
  readStoredFolder,
  type Setting,
  type Storage,
  type Store,
  type StoredFolder,
  type Table,
} from "./store.ts";
