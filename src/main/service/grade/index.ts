export { compareGrades, correctForMany, type GradeComparison } from "./compare.ts";
export { createGrader, type GradeByRules } from "./grader.ts";
export { type GradingGuess, guessGrading, type SampleLine } from "./guess-grading.ts";
export { createSchemaGrader } from "./json.ts";
export {
  collectLabels,
  createLabelPairing,
  fromPairKey,
  type LabelPair,
  type PairLabels,
  toPairKey,
} from "./label-pairs.ts";
export { createModelGrader, type ModelGrader, type ModelGraderParts, type Ungraded } from "./model-grader.ts";
export { schemaOf } from "./request-schema.ts";
export { type CountedGrades, isCounted, summarizeGrades, wilsonInterval } from "./summarize.ts";
export { type GradeInput, GraderError } from "./types.ts";
