import type { Check } from "../types.ts";
import { checkInstructions } from "./instructions/index.ts";

/** All checks of the rules, in the order in which they win over one another. */
export const checks: readonly Check[] = [checkInstructions];
