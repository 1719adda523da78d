export { checkArithmetic } from "./check-arithmetic.ts";
export { readResults, type StepResult } from "./read-results.ts";
