export { readFully, writeFully } from "./file-io.ts";
export { createFiles } from "./files.ts";
export { type ScannedLine, scanLines } from "./scan-lines.ts";
export {
  type CheckRules,
  checkFile,
  checkRulesSchema,
  createCheckRules,
  createFileChecker,
  createLineChecker,
  createProblemTally,
  type FileCheck,
  type FileChecker,
  groupProblems,
  type LineChecker,
  type ProblemTally,
} from "./validation/index.ts";
