import { Progress } from "@mantine/core";
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import type { CheckProgress, ProblemGroup, Source } from "#contract";
import { describeError } from "../../../bridge/index.ts";
import { ErrorCard, formatCount, formatNumber } from "../../../components/index.ts";
import { describeGroup, firstRows, sortGroups } from "./problem-sentences.ts";
import classes from "./problems.module.css";
import type { Check } from "./use-check.ts";

interface ProblemsProps {
  readonly source: Source;
  readonly check: Check;
  readonly onShowRow: (row: number) => void;
}

/** How many rows of a group are named. */
const namedRows = 5;

/** All problems of the whole file, as far as it has been checked: a click goes to the row. */
export function Problems({ source, check, onShowRow }: ProblemsProps) {
  const { latest, isChecking, error, retry } = check;
  if (error !== null && error !== undefined) {
    return <ErrorCard title="The file could not be checked" {...describeError(error)} onRetry={retry} />;
  }
  const unit = source.holds === "rows" ? "row" : "line";
  return (
    <div className={classes.root}>
      <CheckState check={latest} isChecking={isChecking} />
      {latest === null || latest.groups.length === 0 ? null : (
        <ul className={classes.groups} aria-label="Problems">
          {sortGroups(latest.groups).map((group) => (
            <Group key={`${group.code} ${group.severity}`} group={group} unit={unit} onShowRow={onShowRow} />
          ))}
        </ul>
      )}
    </div>
  );
}

function CheckState({ check, isChecking }: { readonly check: CheckProgress | null; readonly isChecking: boolean }) {
  if (check === null || !check.finished) {
    const share = check === null || check.total === 0 ? 0 : check.done / check.total;
    return (
      <div className={classes.checking}>
        <Progress size={3} value={share * 100} aria-label="Checking the requests" />
        <span role="status">
          {check === null
            ? "Checking…"
            : `Checking: ${formatNumber(check.done)} of ${formatCount(check.total, "request")}`}
        </span>
      </div>
    );
  }
  if (check.groups.length > 0) {
    return (
      <p className={classes.summary} role="status" data-stale={isChecking || undefined}>
        {[
          check.errorCount > 0 ? formatCount(check.errorCount, "error") : null,
          check.warningCount > 0 ? formatCount(check.warningCount, "warning") : null,
        ]
          .filter((part) => part !== null)
          .join(", ")}{" "}
        in {formatCount(check.total, "request")}
      </p>
    );
  }
  return (
    <p className={classes.fine} role="status" data-stale={isChecking || undefined}>
      <IconCircleCheck size={18} stroke={1.6} aria-hidden />
      No problems in {formatCount(check.total, "request")}
    </p>
  );
}

interface GroupProps {
  readonly group: ProblemGroup;
  readonly unit: "row" | "line";
  readonly onShowRow: (row: number) => void;
}

function Group({ group, unit, onShowRow }: GroupProps) {
  const isError = group.severity === "error";
  const Icon = isError ? IconAlertCircle : IconAlertTriangle;
  const rows = firstRows(group, namedRows);
  const [first] = group.first;
  return (
    <li className={classes.group} data-severity={group.severity}>
      <Icon size={17} stroke={1.7} className={classes.icon} aria-hidden />
      <div className={classes.text}>
        <div className={classes.sentence}>
          <span className={classes.severity}>{isError ? "Error" : "Warning"}</span> {describeGroup(group, unit)}
        </div>
        {first === undefined ? null : <div className={classes.message}>{first.message}</div>}
        {rows.length === 0 ? null : (
          <div className={classes.rows}>
            {rows.map((row) => (
              <button
                key={row}
                type="button"
                aria-label={`Go to ${unit} ${formatNumber(row)}`}
                onClick={() => onShowRow(row)}
              >
                {formatNumber(row)}
              </button>
            ))}
            {group.count > rows.length ? (
              <span className={classes.more}>and {formatNumber(group.count - rows.length)} more</span>
            ) : null}
          </div>
        )}
      </div>
    </li>
  );
}
