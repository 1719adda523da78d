export { checkConsistency } from "./check-consistency.ts";
