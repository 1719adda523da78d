export { type FileExpiry, startFileExpiry } from "./file-expiry.ts";
export { createFiles, type Files, type PendingFile } from "./files.ts";
export {
  type CheckRules,
  checkFile,
  checkRulesSchema,
  connectionRules,
  createBodyCheck,
  createCheckRules,
  createFileChecker,
  createLineChecker,
  createProblemTally,
  createValidationThread,
  type FileCheck,
  type FileChecker,
  type FileLimits,
  groupProblems,
  type IssueKind,
  type JsonObject,
  type LineChecker,
  type ProblemTally,
  type ValidationReport,
  type ValidationThread,
} from "./validation/index.ts";
