import { formatNumber } from "../../../components/index.ts";
import { isCheckUnwritten } from "./is-unwritten.ts";
import classes from "./problem-count.module.css";
import type { Check } from "./use-check.ts";

/** How many problems there are, in the colour of the worst; nothing for none. */
export function ProblemCount({ check: { latest } }: { readonly check: Check }) {
  const { errorCount = 0, warningCount = 0 } = latest ?? {};
  if (errorCount + warningCount === 0 || latest === null || isCheckUnwritten(latest)) return null;
  return (
    <span className={classes.count} data-severity={errorCount > 0 ? "error" : "warning"}>
      {formatNumber(errorCount + warningCount)}
    </span>
  );
}
