import { Button } from "@mantine/core";
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconChevronLeft,
  IconChevronRight,
  IconCircleCheck,
  IconPencil,
} from "@tabler/icons-react";
import { useState } from "react";
import type { CheckProgress, ProblemGroup, Source } from "#contract";
import { describeError } from "../../../bridge/index.ts";
import { ErrorCard, formatCount, formatNumber, IconAction, ProgressBar } from "../../../components/index.ts";
import { useContent, useSession } from "../draft/draft-session.ts";
import { useInsertionPoint } from "../template/insertion-point.ts";
import {
  describeGroup,
  examplesOf,
  firstParts,
  isCheckUnwritten,
  keyOf,
  pageOfRows,
  sortGroups,
} from "./describe-problems.ts";
import classes from "./problems.module.css";
import type { Check } from "./use-checks.ts";

interface ProblemsProps {
  readonly source: Source;
  readonly check: Check;
  readonly onShowRow: (row: number) => void;
}

const unitNames = { row: ["Row", "Rows"], line: ["Line", "Lines"] } as const;
/** How many rows of a group are named at a time. */
const namedRows = 6;

/** All problems of the whole file, as far as it has been checked: a click goes to the row. */
export function Problems({ source, check, onShowRow }: ProblemsProps) {
  const { latest, isChecking, error, retry } = check;
  if (error !== null && error !== undefined) {
    return <ErrorCard title="The file could not be checked" {...describeError(error)} onRetry={retry} />;
  }
  if (latest?.finished && isCheckUnwritten(latest)) {
    return (
      <p className={classes.next} role="status">
        <IconPencil size={18} stroke={1.6} aria-hidden />
        Next: write what to ask of each row
      </p>
    );
  }
  const unit = source.holds === "rows" ? "row" : "line";
  return (
    <div className={classes.root}>
      <CheckState check={latest} isChecking={isChecking} unit={unit} />
      {latest === null || latest.groups.length === 0 ? null : (
        <ul className={classes.groups} aria-label="Problems">
          {sortGroups(latest.groups).map((group) => (
            <Group key={keyOf(group)} group={group} unit={unit} onShowRow={onShowRow} />
          ))}
        </ul>
      )}
    </div>
  );
}

interface CheckStateProps {
  readonly check: CheckProgress | null;
  readonly isChecking: boolean;
  readonly unit: "row" | "line";
}

function CheckState({ check, isChecking, unit }: CheckStateProps) {
  if (check === null || !check.finished) {
    const share = check === null || check.total === 0 ? 0 : check.done / check.total;
    return (
      <div className={classes.checking}>
        <ProgressBar label="Checking the requests" share={share} height={3} />
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
      <div className={classes.state}>
        <p className={classes.summary} role="status" data-stale={isChecking || undefined}>
          {summarize(check, unit)}
        </p>
        <SkipFaulty check={check} unit={unit} />
      </div>
    );
  }
  return (
    <p className={classes.passed} role="status" data-stale={isChecking || undefined}>
      <IconCircleCheck size={18} stroke={1.6} aria-hidden />
      No problems in {formatCount(check.total, "request")}
    </p>
  );
}

/** What was found in how many rows: `14 errors in 12 of 300 rows, 3 warnings`. */
function summarize({ errorCount, warningCount, faultyRows, total }: CheckProgress, unit: "row" | "line"): string {
  const where = faultyRows === 0 ? "" : ` in ${formatNumber(faultyRows)} of ${formatCount(total, unit)}`;
  const parts = [
    errorCount > 0 ? `${formatCount(errorCount, "error")}${where}` : null,
    warningCount > 0 ? formatCount(warningCount, "warning") : null,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

/** Leaves the rows with errors out, so that they don't keep the others from being asked. */
function SkipFaulty({
  check: { faultyRows },
  unit,
}: Pick<CheckStateProps, "unit"> & { readonly check: CheckProgress }) {
  const { store } = useSession();
  const rows = useContent((content) => content.rows);
  if (faultyRows === 0) return null;
  const label = rows.skipFaulty ? "Don’t skip" : `Skip ${formatCount(faultyRows, unit)}`;
  return (
    <Button size="compact-xs" onClick={() => store.edit({ rows: { ...rows, skipFaulty: !rows.skipFaulty } })}>
      {label}
    </Button>
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
  const [first] = group.first;
  const isOne = group.count === 1 && first !== undefined;
  return (
    <li className={classes.group} data-severity={group.severity}>
      <Icon size={17} stroke={1.7} className={classes.icon} aria-hidden />
      <div className={classes.text}>
        <div className={classes.sentence}>
          <span className={classes.severity}>{isError ? "Error" : "Warning"}</span>{" "}
          {isOne ? first.message : describeGroup(group, unit)}
        </div>
        {isOne
          ? null
          : examplesOf(group, unit).map((message) => (
              <div key={message} className={classes.message}>
                {message}
              </div>
            ))}
        <Locations group={group} unit={unit} onShowRow={onShowRow} />
      </div>
    </li>
  );
}

/** Where the problems of a group are: the first rows, or the part of the prompt that they all come from. */
function Locations({ group, unit, onShowRow }: GroupProps) {
  const editors = useInsertionPoint();
  const [offset, setOffset] = useState(0);
  const start = offset < group.lines ? offset : 0;
  const rows = pageOfRows(group, start, namedRows);
  const parts = rows.length > 0 ? [] : firstParts(group);
  if (rows.length + parts.length === 0) return null;
  return (
    <div className={classes.locations}>
      {rows.length === 0 ? null : <span className={classes.more}>{unitNames[unit][rows.length === 1 ? 0 : 1]}</span>}
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
      {parts.map(({ param, name }) => (
        <button key={param} type="button" data-words onClick={() => editors.focus(param)}>
          Go to {name}
        </button>
      ))}
      {rows.length > 0 && group.lines > namedRows ? (
        <span className={classes.pages}>
          <IconAction
            label={`Earlier ${unit}s`}
            icon={IconChevronLeft}
            size={22}
            isOff={start === 0}
            onClick={() => setOffset(start - namedRows)}
          />
          <span className={classes.more}>
            {formatNumber(start + 1)}–{formatNumber(start + rows.length)} of {formatNumber(group.lines)}
          </span>
          <IconAction
            label={`Further ${unit}s`}
            icon={IconChevronRight}
            size={22}
            isOff={group.where === undefined || start + namedRows >= group.lines}
            onClick={() => setOffset(start + namedRows)}
          />
        </span>
      ) : null}
    </div>
  );
}

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
