import { IconAlertTriangle, IconPlayerSkipForward } from "@tabler/icons-react";
import type { ResultRow } from "#contract";
import { formatLatency, formatNumber, type TableColumn, VerdictBadge } from "../../../components/index.ts";
import classes from "./result-columns.module.css";

/** Input and output of each line, joined; with its verdict where the batch has been verified. */
export function resultColumns(isVerified: boolean): readonly TableColumn<ResultRow>[] {
  return isVerified ? columns.toSpliced(3, 0, verdictColumn) : columns;
}

const verdictColumn: TableColumn<ResultRow> = {
  id: "verdict",
  header: "Verdict",
  track: "152px",
  hideBelow: 480,
  render: ({ verdict }) => (verdict === null ? null : <VerdictBadge verdict={verdict} size={15} />),
};

const columns: readonly TableColumn<ResultRow>[] = [
  {
    id: "line",
    header: "Line",
    track: "80px",
    align: "end",
    render: ({ line }) => <span className={classes.line}>{formatNumber(line)}</span>,
  },
  {
    id: "question",
    header: "Question",
    track: "minmax(0, 1.1fr)",
    render: ({ question, state }) => (
      <span className={classes.text} data-state={state}>
        {question}
      </span>
    ),
  },
  {
    id: "answer",
    header: "Answer",
    track: "minmax(0, 1fr)",
    hideBelow: 400,
    render: (row) => <Answer row={row} />,
  },
  {
    id: "tokens",
    header: "Tokens",
    track: "76px",
    align: "end",
    hideBelow: 620,
    render: ({ completionTokens }) =>
      completionTokens === null ? null : <span className={classes.soft}>{formatNumber(completionTokens)}</span>,
  },
  {
    id: "time",
    header: "Time",
    track: "84px",
    align: "end",
    hideBelow: 540,
    render: ({ milliseconds }) =>
      milliseconds === null ? null : <span className={classes.soft}>{formatLatency(milliseconds)}</span>,
  },
];

function Answer({ row }: { readonly row: ResultRow }) {
  switch (row.state) {
    case "waiting":
      return <span className={classes.waiting}>Waiting</span>;
    case "skipped":
      return (
        <span className={classes.skipped}>
          <IconPlayerSkipForward size={14} className={classes.icon} aria-hidden />
          <span className={classes.text}>Did not run</span>
        </span>
      );
    case "failed":
      return (
        <span className={classes.failed} title={row.answer}>
          <IconAlertTriangle size={14} className={classes.icon} aria-label="Failed:" />
          <span className={classes.text}>{row.answer}</span>
        </span>
      );
    case "answered":
      return <span className={classes.text}>{row.answer}</span>;
  }
}
