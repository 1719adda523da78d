export { compareGrades, correctForMany, type GradeComparison } from "./compare.ts";
export { createGrader, type GradeByRules } from "./grader.ts";
export { collectLabels } from "./labels.ts";
export { createModelGrader, type ModelGrader, type ModelGraderParts, type Ungraded } from "./model-grader.ts";
export { type CountedGrades, isCounted, labelPair, summarizeGrades, wilsonInterval } from "./summarize.ts";
export { type GradeInput, GraderError } from "./types.ts";
