export { compareGrades, type GradeComparison } from "./compare.ts";
export { createGrader, type RulesGrader } from "./grader.ts";
export { collectLabels } from "./labels.ts";
export { type CountedGrades, labelPair, summarizeGrades, wilsonInterval } from "./summarize.ts";
export { type GradeInput, GraderError } from "./types.ts";
