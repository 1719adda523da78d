export { type ContentHash, contentHashSchema, hashContent, isSoundContent } from "./check-content.ts";
export { type FileExpiry, startFileExpiry } from "./file-expiry.ts";
export { createFiles, type Files, type PendingFile } from "./files.ts";
export {
  type CheckRules,
  checkRulesSchema,
  connectionRules,
  createBodyCheck,
  createCheckRules,
  createFileChecker,
  createLineChecker,
  createProblemTally,
  createValidationThread,
  describeIssues,
  type FileCheck,
  type FileChecker,
  type FileLimits,
  groupProblems,
  type IssueKind,
  isChatRequest,
  type JsonObject,
  type LineChecker,
  longestInputLine,
  narrowRanges,
  type ProblemTally,
  takeAnyModel,
  type ValidationReport,
  type ValidationThread,
} from "./validation/index.ts";
