import { NumberInput } from "@mantine/core";
import { IconArrowsShuffle, IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { useStore } from "zustand";
import type { Source } from "#contract";
import { formatNumber, IconAction } from "../../../components/index.ts";
import { useSession } from "../draft/draft-session.ts";
import panes from "../panes/panes.module.css";
import classes from "./preview.module.css";
import { ProblemCount, Problems } from "./problems.tsx";
import { RowPreview } from "./row-preview.tsx";
import { Trial } from "./trial.tsx";
import type { Check } from "./use-checks.ts";

interface PreviewPaneProps {
  readonly source: Source | null;
  readonly check: Check;
}

/** What will be sent: the request of one row, and below it the problems of them all. */
export function PreviewPane({ source, check }: PreviewPaneProps) {
  const { showRow } = useSession();
  const isReady = canTry(check);
  return (
    <section className={panes.pane} style={{ gridArea: "preview" }} aria-labelledby="build-preview">
      <header className={panes.head}>
        <h2 id="build-preview">Preview</h2>
        <span className={panes.spacer} />
        {hasRows(source) ? <RowPicker source={source} /> : null}
      </header>
      {hasRows(source) ? (
        <div className={classes.body}>
          <div className={classes.request}>
            <RowPreview source={source} />
          </div>
          <Trial source={source} isReady={isReady} />
          <section className={classes.problems} aria-labelledby="build-problems">
            <header className={panes.head}>
              <h2 id="build-problems">Problems</h2>
              <ProblemCount check={check} />
            </header>
            <div className={classes.problemsBody}>
              <Problems source={source} check={check} onShowRow={showRow} />
            </div>
          </section>
        </div>
      ) : (
        <div className={panes.body}>
          <NoPreview source={source} />
        </div>
      )}
    </section>
  );
}

/** Whether rows can be asked: not while the prompt itself has errors. */
export function canTry({ latest }: Check): boolean {
  return latest !== null && (!latest.finished || latest.requests > 0);
}

/** True where there is a row to preview, and to check. */
export function hasRows(source: Source | null): source is Source {
  return source !== null && source.rowCount > 0;
}

/** Placeholder for the preview and the problems. */
export function NoPreview({ source }: { readonly source: Source | null }) {
  const missing = source === null ? "there is a source" : "the source has a row";
  return <p className={classes.none}>The request of each row shows here as soon as {missing}.</p>;
}

/** Chooses the row that is previewed: the one before, the one after, any one, or by its number. */
export function RowPicker({ source: { rowCount, holds } }: { readonly source: Source }) {
  const { view, showRow } = useSession();
  const row = useStore(view, (state) => Math.min(state.row, rowCount));
  const unit = holds === "rows" ? "Row" : "Line";
  const steps = [
    { label: `Previous ${unit.toLowerCase()}`, icon: IconChevronLeft, to: row - 1 },
    { label: `Next ${unit.toLowerCase()}`, icon: IconChevronRight, to: row + 1 },
  ];
  return (
    <div className={classes.picker}>
      <span className={classes.pickerWords}>{unit}</span>
      <RowNumber key={row} row={row} rowCount={rowCount} unit={unit} onChange={showRow} />
      <span className={classes.pickerWords}>of {formatNumber(rowCount)}</span>
      {steps.map(({ label, icon, to }) => (
        <IconAction key={label} label={label} icon={icon} isOff={to < 1 || to > rowCount} onClick={() => showRow(to)} />
      ))}
      <IconAction
        label={`Any ${unit.toLowerCase()}`}
        icon={IconArrowsShuffle}
        onClick={() => showRow(1 + Math.floor(Math.random() * rowCount))}
      />
    </div>
  );
}

interface RowNumberProps {
  readonly rowCount: number;
  readonly unit: "Row" | "Line";
  readonly row: number;
  readonly onChange: (row: number) => void;
}

function RowNumber({ row, rowCount, unit, onChange }: RowNumberProps) {
  const [typed, setTyped] = useState<string | number>(row);
  const go = () => {
    const wanted = Number(typed);
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= rowCount) onChange(wanted);
    else setTyped(row);
  };
  return (
    <NumberInput
      size="xs"
      variant="unstyled"
      hideControls
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=","
      className={classes.pickerNumber}
      style={{ width: `${formatNumber(rowCount).length + 2}ch` }}
      aria-label={`${unit} to preview`}
      value={typed}
      onChange={setTyped}
      onBlur={go}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onKeyDown={({ key }) => {
        if (key === "Enter") go();
      }}
    />
  );
}
