export { BatchFilesError, openBatchFiles, verifyFiles } from "./batch-files.ts";
export { type ExpectedAnswer, type GradeFilesParts, gradeFiles } from "./grade-files.ts";
export { createGradeFiles, createGrades, type Grades, type StartGrading } from "./grades.ts";
export { createFindVerifier, createJudgeThread, type JudgeThread } from "./judge-thread.ts";
export { systemTextOf } from "./line-texts.ts";
export { isHeaderOf } from "./run-file.ts";
export { createSingleVerifications, type SingleVerifications } from "./single-verification.ts";
export { countKinds } from "./verdict-outcome.ts";
export {
  createVerdictFiles,
  createVerifications,
  type StartVerification,
  type Verifications,
} from "./verifications.ts";
export type { OpenQueue } from "./work.ts";
