export type { Batches, BatchProgress, CreateBatch, KeepLimits, Retention } from "./batches/index.ts";
export { nameOf } from "./batches/index.ts";
export {
  type AdjustableClock,
  type ClockOptions,
  createAdjustableClock,
  createIdleLimit,
  createManualClock,
  createSystemClock,
  createSystemMachine,
  type IdleLimit,
  limitWaits,
  type ManualClock,
  nextTurn,
} from "./clock/index.ts";
export { ConfigFileError } from "./config-file.ts";
export type * from "./connections.ts";
export { createService, type ServiceOptions } from "./create-service.ts";
export {
  type Backup,
  backUpFolder,
  type Examined,
  type ExportedAnswers,
  examineFolder,
  exportAnswers,
  type Finding,
  FolderError,
  repairFolder,
} from "./doctor/index.ts";
export {
  AnswerTooLargeError,
  answerTooLarge,
  checkRules,
  createFixedRules,
  createMockEngine,
  createRecordingEngine,
  createSample,
  createScopedFaults,
  createScopedRules,
  createScriptedEngine,
  createUpstreamEngine,
  decompress,
  findError,
  hideKeyInError,
  isFolder,
  limitAnswer,
  loadTemplates,
  type MockEngineOptions,
  openRecordings,
  openRulesFile,
  type Pace,
  parseRetryAfter,
  parseRules,
  type Rules,
  RulesError,
  type RulesInput,
  type RulesSource,
  readErrorMessage,
  readText,
  type ScopedFaults,
  type ScopedRules,
  type UpstreamApi,
  writeKey,
} from "./engines/index.ts";
export { ServiceError, type ServiceErrorCode } from "./errors.ts";
export type { ContentHash, FileLimits, Files, PendingFile, ValidationReport } from "./files/index.ts";
export {
  type CheckRules,
  checkRulesSchema,
  connectionRules,
  createCheckRules,
  createContentCheck,
  createLineChecker,
  createProblemTally,
  groupProblems,
  hashContent,
  type LineChecker,
  type ProblemTally,
} from "./files/index.ts";
export {
  collectLabels,
  createGrader,
  createModelGrader,
  GraderError,
  type GradingGuess,
  guessGrading,
  type ModelGraderParts,
  type SampleLine,
  schemaOf,
  summarizeGrades,
  toPairKey,
  wilsonInterval,
} from "./grade/index.ts";
export { guardSecrets } from "./guard-secrets.ts";
export { hideSecret } from "./hide-secret.ts";
export {
  createHttpApp,
  createRequestLog,
  dialects,
  type HttpApp,
  type HttpAppOptions,
  type RequestLine,
  type RequestLog,
  toWireBatch,
} from "./http/index.ts";
export { createCountingIds, createRandomIds } from "./ids.ts";
export {
  type Appender,
  type ByteRange,
  commandWrites,
  createAppender,
  createWorkerThread,
  type Disk,
  type Durability,
  type DurabilityMode,
  type ErrorCodec,
  followProgress,
  isErrno,
  isInside,
  listFiles,
  makeFolder,
  moveInto,
  parseJson,
  partialPathOf,
  readJsonFile,
  readRanges,
  removeFiles,
  removePartials,
  type ScannedLine,
  scanLines,
  serveWorker,
  sortKeys,
  streamLines,
  type WorkerThread,
  type WriteRules,
  withFileLock,
  writeFully,
  writeJsonFile,
} from "./io/index.ts";
export { createLogger, createSilentLogger, type LogLevel, logLevels } from "./logger.ts";
export { createMcpAccess, type McpAccess, type McpAdmission, type McpState } from "./mcp/index.ts";
export { createMemorySecretStore } from "./memory-secret-store.ts";
export type { Model, ModelCatalog, TokenLimits } from "./model-catalog.ts";
export { createModelCatalog, defaultModels, parseModels, type Tier } from "./model-catalog.ts";
export { createOutgoing, type Outgoing, ProxyError } from "./outgoing/index.ts";
export type * from "./ports.ts";
export { defaultScope } from "./ports.ts";
export { createQueue, type Queue } from "./queue.ts";
export { type RealtimeLimits, realtimeLimits } from "./realtime-gate.ts";
export type { RemotePart } from "./remote-part.ts";
export {
  type BatchCosts,
  type Comparisons,
  type LinePrice,
  type LineTokens,
  type Prices,
  parseOutcome,
  type ReadColumn,
  type ResultLine,
  type Results,
  type Tables,
} from "./results/index.ts";
export type { Service } from "./service.ts";
export type { BatchRecord, BatchTimes, FileRecord } from "./store/index.ts";
export {
  DataDirError,
  type DataDirErrorCode,
  type Notices,
  placesIn,
  readStoredFolder,
  refuseNewer,
} from "./store/index.ts";
export { countPromptTokens, countTokens, countTokensUpTo } from "./tokens/index.ts";
export type { Grades, StartGrading, StartVerification, Verifications } from "./verifications/index.ts";
export {
  BatchFilesError,
  countKinds,
  createSingleVerifications,
  type ExpectedAnswer,
  type GradeFilesParts,
  gradeFiles,
  openBatchFiles,
  type SingleVerifications,
  systemTextOf,
  verifyFiles,
} from "./verifications/index.ts";
export {
  createRulesVerifier,
  createVerifier,
  loadRulesJudge,
  type Verifier,
  type VerifierParts,
  type VerifyOptions,
  verdictOf,
} from "./verify/index.ts";
