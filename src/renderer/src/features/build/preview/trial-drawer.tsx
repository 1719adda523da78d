import { Button, Checkbox, Drawer } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Boundary, formatCost, formatCount, formatLatency, formatNumber } from "../../../components/index.ts";
import panes from "../panes/panes.module.css";
import classes from "./trial.module.css";
import { TrialAnswers } from "./trial-answers.tsx";
import { summarizeTrial, withDifferentRows } from "./trial-facts.ts";
import type { ShownTrial, TrialTable } from "./trial-table.ts";

interface TrialDrawerProps {
  /** Null while there is no trial to show. */
  readonly shown: ShownTrial | null;
  /** Of that trial. */
  readonly table: TrialTable | null;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly isRunning: boolean;
  /** Stands above the table: how far the trial is. */
  readonly summary: ReactNode;
  readonly onStop: () => void;
  /** Asks the same rows of the version again; left out where its prompt can't be asked. */
  readonly onTryAgain: (() => void) | undefined;
}

/** Shows a trial in a drawer: its table, its figures, and a filter for the rows that differ. */
export function TrialDrawer(props: TrialDrawerProps) {
  const { shown, table: whole, isOpen, onClose, isRunning, summary, onStop, onTryAgain } = props;
  const [isFiltered, setFiltered] = useState(false);
  const different = whole && withDifferentRows(whole);
  // Free texts differ in nearly every row.
  const isComparable = whole !== null && (whole.score !== null || (whole.compared !== null && whole.others.length > 0));
  const table = isFiltered && isComparable ? different : whole;
  return (
    <Drawer
      opened={isOpen && shown !== null}
      onClose={onClose}
      position="right"
      size="min(1120px, 94vw)"
      title="Trial"
      classNames={{ content: classes.drawer, body: classes.drawerBody }}
    >
      {shown === null || table === null || different === null ? null : (
        <>
          <div className={classes.summary}>
            {summary}
            <span className={panes.spacer} />
            {isComparable ? (
              <Checkbox
                size="xs"
                label={`Differ (${formatNumber(different.rows.length)})`}
                title="Show rows whose values differ from the expected value or between versions"
                checked={isFiltered}
                onChange={({ currentTarget }) => setFiltered(currentTarget.checked)}
              />
            ) : null}
          </div>
          {table.rows.length === 0 ? (
            <p className={classes.none}>No row differs.</p>
          ) : (
            <Boundary title="The answers could not be shown">
              <TrialAnswers {...shown} table={table} isWide />
            </Boundary>
          )}
          <footer className={classes.footer}>
            <p>{describeFacts(shown)}</p>
            <span className={panes.spacer} />
            {isRunning ? (
              <Button size="xs" onClick={onStop}>
                Stop
              </Button>
            ) : (
              <Button size="xs" disabled={onTryAgain === undefined} onClick={onTryAgain}>
                Try again
              </Button>
            )}
          </footer>
        </>
      )}
    </Drawer>
  );
}

function describeFacts(shown: ShownTrial): string {
  const { asked, answered, failed, broken, medianMilliseconds, cost } = summarizeTrial(shown);
  const facts = [
    `${formatNumber(answered)} of ${formatCount(asked, "row")} answered`,
    failed === 0 ? null : `${formatNumber(failed)} failed`,
    broken === 0 ? null : `${formatNumber(broken)} break the schema`,
    medianMilliseconds === null ? null : `median ${formatLatency(medianMilliseconds)}`,
    cost === null ? null : `${formatCost(cost)}${shown.others.length === 0 ? "" : " in all"}`,
  ];
  return facts.filter((fact) => fact !== null).join(" · ");
}
