export { type Appender, createAppender, openSyncAppender, type SyncAppender } from "./appender.ts";
export { readFully, writeFully } from "./bytes.ts";
export {
  createDisk,
  type Disk,
  type DiskFailure,
  type DiskFailureCode,
  describeDiskError,
  diskFailureCodes,
  noDisk,
} from "./disk.ts";
export {
  commandWrites,
  createDurability,
  type Durability,
  type DurabilityMode,
  noDurability,
  type Syncable,
  syncFolder,
  type WriteGuard,
  type WriteRules,
} from "./durability.ts";
export { isErrno } from "./error.ts";
export { withFileLock } from "./file-lock.ts";
export { copyInto, isInside, listFiles, makeFolder, moveInto, removeFiles } from "./folders.ts";
export { followProgress } from "./follow-progress.ts";
export { parseExactJson, parseJson, readJsonFile, replaceFile, sortKeys, writeJsonFile } from "./json.ts";
export { createSchemaCompiler, withoutDialect } from "./json-schema.ts";
export { createMarker, type Marker } from "./marker.ts";
export { mostConnections, openFiles } from "./open-files.ts";
export { partialPathOf, removePartials } from "./partial-file.ts";
export { type ByteRange, readRanges, readUpTo } from "./read-ranges.ts";
export { type ScannedLine, scanLines, scanLinesSync, streamLines } from "./scan-lines.ts";
export { findSealed, isSealed, sealJson, sealLine, unsealLine } from "./sealed-line.ts";
export { createWorkerThread, type ErrorCodec, serveWorker, type WorkerThread } from "./worker-thread.ts";
