import { IconAlertCircle, IconAlertTriangle } from "@tabler/icons-react";
import type { Problem } from "#contract";
import classes from "./row-problems.module.css";

/** What is wrong with the request that is previewed. */
export function RowProblems({ problems }: { readonly problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul className={classes.root} aria-label="Problems of this request">
      {problems.map(({ code, param, message, severity }) => {
        const Icon = severity === "error" ? IconAlertCircle : IconAlertTriangle;
        return (
          <li key={`${code} ${param} ${message}`} data-severity={severity}>
            <Icon size={15} stroke={1.8} aria-hidden />
            <span>
              <span className={classes.severity}>{severity === "error" ? "Error" : "Warning"}</span> {message}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
