/** Grading by rules. */
export { createGrader } from "./grader.ts";
export { guessGrading } from "./guess-grading.ts";
export { createSchemaGrader, findMisfits } from "./json.ts";
export { collectLabels, createLabelPairing } from "./label-pairs.ts";
