import { evaluate } from "mathjs/number";
import type { Holds } from "./change-number.ts";

/**
 * Whether an equation holds, rounded or cut to the digits shown, by mathjs: another reader than the one that is measured.
 * What mathjs can't read counts as holding, so that it is not used.
 */
export const holdsByMathjs: Holds = (left, right) => {
  const value = evaluateOrNaN(left);
  const shown = Number(right.replaceAll(",", ""));
  if (Number.isNaN(value) || Math.abs(value - shown) <= 1e-9 * Math.max(1, Math.abs(value))) return true;
  const step = 10 ** -(right.split(".")[1] ?? "").length;
  const needsRounding = Math.abs(value / step - Math.round(value / step)) > 1e-6;
  return needsRounding && Math.abs(value - shown) < step;
};

function evaluateOrNaN(expression: string): number {
  try {
    return Number(evaluate(expression));
  } catch {
    return Number.NaN;
  }
}
