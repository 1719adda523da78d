import { IconAlertTriangle, IconPlayerSkipForward } from "@tabler/icons-react";
import type { ResultRow } from "#contract";
import { formatLatency, formatNumber, type TableColumn, VerdictBadge } from "../../../components/index.ts";
import { GradeBadge } from "../grading/grade-badge.tsx";
import classes from "./result-columns.module.css";

export interface ResultColumns {
  readonly isVerified: boolean;
  readonly isGraded: boolean;
}

const verdictWidth = 180;
const gradeWidth = 112;

/** Input and output of each line, joined; with its verdict and its grade where the batch has some. */
export function createResultColumns({ isVerified, isGraded }: ResultColumns): readonly TableColumn<ResultRow>[] {
  // What was asked for stays; the figures make room for it.
  const taken = (isVerified ? verdictWidth : 0) + (isGraded ? gradeWidth : 0);
  return [
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
        <span className={classes.text} data-state={state} dir="auto">
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
    ...(isVerified ? [verdictColumn(400 + taken)] : []),
    ...(isGraded ? [gradeColumn(400 + taken)] : []),
    {
      id: "tokens",
      header: "Tokens",
      track: "76px",
      align: "end",
      hideBelow: 620 + taken,
      render: ({ completionTokens }) =>
        completionTokens === null ? null : <span className={classes.soft}>{formatNumber(completionTokens)}</span>,
    },
    {
      id: "time",
      header: "Time",
      track: "84px",
      align: "end",
      hideBelow: 540 + taken,
      render: ({ milliseconds }) =>
        milliseconds === null ? null : <span className={classes.soft}>{formatLatency(milliseconds)}</span>,
    },
  ];
}

/** Icons alone where there is no room for the words. */
const iconTrack = "44px";

function verdictColumn(narrowBelow: number): TableColumn<ResultRow> {
  return {
    id: "verdict",
    header: "Verdict",
    track: `${verdictWidth}px`,
    render: ({ verdict }) => (verdict === null ? null : <VerdictBadge verdict={verdict} size={15} />),
    narrow: {
      below: narrowBelow,
      track: iconTrack,
      hideHeader: true,
      render: ({ verdict }) => (verdict === null ? null : <VerdictBadge verdict={verdict} isIcon />),
    },
  };
}

function gradeColumn(narrowBelow: number): TableColumn<ResultRow> {
  return {
    id: "grade",
    header: "Grade",
    track: `${gradeWidth}px`,
    render: ({ grade }) => (grade === null ? null : <GradeBadge grade={grade} size={15} />),
    narrow: {
      below: narrowBelow,
      track: iconTrack,
      hideHeader: true,
      render: ({ grade }) => (grade === null ? null : <GradeBadge grade={grade} isIcon />),
    },
  };
}

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
      return (
        <span className={classes.text} dir="auto">
          {row.answer}
        </span>
      );
  }
}
