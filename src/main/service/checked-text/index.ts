export { listProblems } from "./list-problems.ts";
export { parseChecked, TextError } from "./parse-checked.ts";
