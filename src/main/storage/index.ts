export { type Appender, createAppender } from "./io/appender.ts";
export { readFully, writeFully } from "./io/bytes.ts";
export { ConfigFileError, listProblems, loadConfigReader, parseConfigFile } from "./io/config-file.ts";
export { type Disk, type DiskFailureCode, describeDiskError, diskFailureCodes } from "./io/disk.ts";
export {
  commandWrites,
  type Durability,
  type DurabilityMode,
  noDurability,
  syncFolder,
  type WriteRules,
} from "./io/durability.ts";
export { isErrno } from "./io/error.ts";
export { withFileLock } from "./io/file-lock.ts";
export { describeFileReason } from "./io/file-reason.ts";
export { copyInto, isInside, listFiles, makeFolder, moveInto, removeFiles } from "./io/folders.ts";
export { followProgress } from "./io/follow-progress.ts";
export { guardSecrets } from "./io/guard-secrets.ts";
export {
  isNestedTooDeep,
  mostLevels,
  parseJson,
  readJsonFile,
  replaceFile,
  writeJsonFile,
} from "./io/json.ts";
export { describeKnownError } from "./io/known-error.ts";
export { mostConnections, openFiles } from "./io/open-files.ts";
export { partialPathOf, removePartials, wholePathOf } from "./io/partial-file.ts";
export { readBytes } from "./io/read-bytes.ts";
export { type ByteRange, readRanges, readUpTo } from "./io/read-ranges.ts";
export { type ScannedLine, scanLines, streamLines } from "./io/scan-lines.ts";
export { isSealed, sealJson, sealLine, unsealLine } from "./io/sealed-line.ts";
export { makeTemporaryFolder } from "./io/temporary-folder.ts";
export { createWorkerThread, type ErrorCodec, serveWorker, type WorkerThread } from "./io/worker-thread.ts";
export { type Archive, openArchive } from "./journal/archive.ts";
export { DataDirError } from "./journal/data-dir-error.ts";
export { findNames, listDebris, removeDebris } from "./journal/debris.ts";
export { filesOf, isDeleted } from "./journal/deleted.ts";
export { listUploads, placesIn } from "./journal/folder.ts";
export type { HeldFolder } from "./journal/hold-folder.ts";
export { lockDataDir } from "./journal/lock.ts";
export { listNotFiles } from "./journal/not-files.ts";
export type { Notices } from "./journal/notices.ts";
export { shortList } from "./journal/open-journal.ts";
export { refuseNewer } from "./journal/read-journal.ts";
export { type FolderRecords, readRecords, writeCopiedJournal } from "./journal/read-records.ts";
export type { BatchRecord, BatchTimes, FileRecord, ReusedAnswers, Throughput } from "./journal/records.ts";
export { setAside } from "./journal/set-aside.ts";
export {
  type OtherFolder,
  openStore,
  readStoredFolder,
  readStoredFolders,
  type Store,
  type StoredFolder,
} from "./journal/store.ts";
export {
  createJudgeCallWriter,
  type JudgeCall,
  type JudgeFill,
  judgeCallFile,
  judgeCallFolder,
  listJudgeMonths,
  type ReadJudgeFiles,
  readJudgeCalls,
} from "./judge-calls.ts";
export type { Answer, AnswerBill, AnswerFacts, AnswerFile, AnswerPlace, LedgerAnswer } from "./ledger/answer.ts";
export { findUnsound } from "./ledger/check-tail.ts";
export { countEntered } from "./ledger/count-entered.ts";
export { isSoundAnswer, readAnswerLines } from "./ledger/read-answers.ts";
export { hasShiftedRecords, type LedgerReading, noLedger, readLedger } from "./ledger/read-ledger.ts";
export type { LedgerPlace } from "./ledger/records.ts";
export { openLedger } from "./ledger/write-ledger.ts";
export { isLostOrigin, lostOrigin } from "./lost-origin.ts";
export { keepPrices, priceFile, priceFolder, readPrices } from "./price-records.ts";
export { listFile, listFolder, storedListSchema, type ValueLists } from "./value-lists.ts";
