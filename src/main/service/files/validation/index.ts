export { createBodyCheck, isChatRequest, type JsonObject } from "./check-body.ts";
export type { CheckFileOptions, FileCheck, ValidationReport } from "./check-file.ts";
export { describeIssues, type IssueKind, narrowRanges } from "./describe-issues.ts";
export { createFileChecker, createValidationThread, type FileChecker, type ValidationThread } from "./file-checker.ts";
export { createLineChecker, type LineChecker } from "./line-checker.ts";
export { createProblemTally, groupProblems, type ProblemTally } from "./problem-tally.ts";
export {
  type CheckRules,
  checkRulesSchema,
  connectionRules,
  createCheckRules,
  type FileLimits,
  longestInputLine,
  takeAnyModel,
} from "./rules.ts";
