export { BatchFilesError, type FileProblem, openBatchFiles } from "./batch-files.ts";
export { createGradeFiles, createGrades } from "./grades.ts";
export { createJudgeThread } from "./judge-thread.ts";
export { createVerifications } from "./verifications.ts";
export { createFindVerifier, type FindVerifier } from "./verifiers.ts";
export { verifyFiles } from "./verify-files.ts";
