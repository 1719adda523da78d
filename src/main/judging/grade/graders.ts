/** Grading by rules. */
export { createGrader } from "./grader.ts";
export { guessGrading } from "./guess-grading.ts";
export { createSchemaGrader, findMisfits } from "./json.ts";
export { collectLabels, createTally } from "./label-pairs.ts";
