export { type FileExpiry, startFileExpiry } from "./file-expiry.ts";
export { createFiles } from "./files.ts";
export { formatCount } from "./format.ts";
export {
  type CheckRules,
  checkFile,
  checkRulesSchema,
  createBodyCheck,
  createCheckRules,
  createFileChecker,
  createLineChecker,
  createProblemTally,
  type FileCheck,
  type FileChecker,
  groupProblems,
  type IssueKind,
  type JsonObject,
  type LineChecker,
  type ProblemTally,
} from "./validation/index.ts";
