import { Link } from "@tanstack/react-router";
import { type FindingView, formatNumber } from "#contract";
import { scrollable } from "../../components/index.ts";
import classes from "./data-section.module.css";
import { findingTitles } from "./finding-titles.ts";

interface FindingsListProps {
  /** What the list has. */
  readonly label: string;
  readonly findings: readonly FindingView[];
  /** Beyond those. */
  readonly more?: number;
  /** The word before what a repair does: it will, or it has. */
  readonly repairLabel: string;
}

/** Findings: what it is, in which batch and file, and what a repair does about it. */
export function FindingsList({ label, findings, more = 0, repairLabel }: FindingsListProps) {
  return (
    <div className={classes.list}>
      <ul className={classes.findings} aria-label={label} {...scrollable}>
        {findings.map(({ kind, path, line, batches, message, isDamage, repair }) => (
          <li
            key={`${kind} ${path} ${line} ${message}`}
            className={classes.finding}
            data-damage={isDamage || undefined}
          >
            <div className={classes.findingHead}>
              <strong>{findingTitles[kind]}</strong>
              {batches.map(({ id, name }) => (
                <Link key={id} to="/batches/$batchId" params={{ batchId: id }}>
                  {name}
                </Link>
              ))}
            </div>
            <div>{message}</div>
            <code className={classes.path}>{line === null ? path : `${path}, line ${formatNumber(line)}`}</code>
            <div className={classes.soft}>
              {repair === null ? "A repair does not change it." : `${repairLabel}: ${repair}.`}
            </div>
          </li>
        ))}
      </ul>
      {more > 0 ? <p className={classes.more}>And {formatNumber(more)} more.</p> : null}
    </div>
  );
}
