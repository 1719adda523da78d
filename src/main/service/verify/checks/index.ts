import type { Check } from "../types.ts";
import { checkArithmetic } from "./arithmetic/index.ts";
import { checkConsistency } from "./consistency/index.ts";
import { checkDates } from "./dates/index.ts";
import { checkGrounding } from "./grounding/index.ts";
import { checkInstructions } from "./instructions/index.ts";

/** All checks of the rules. Of two that come to the same verdict on the same words, the first is heard. */
export const checks: readonly Check[] = [
  checkArithmetic,
  checkDates,
  checkGrounding,
  checkConsistency,
  checkInstructions,
];
