import type { Check } from "../../types.ts";
import { checkConclusion } from "./check-conclusion.ts";
import { checkQuantities } from "./check-quantities.ts";

/** Whether the response agrees with itself. */
export const checkConsistency: Check = ({ prompt, response }) => [
  ...checkConclusion(prompt, response),
  ...checkQuantities(response),
];
