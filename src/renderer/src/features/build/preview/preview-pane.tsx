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
import type { Check, VersionCheck } from "./use-checks.ts";

interface PreviewPaneProps {
  readonly source: Source | null;
  /** Of the version that is looked at. */
  readonly check: Check;
  readonly checks: readonly VersionCheck[];
}

/** What comes back and what is sent: a trial, the request of one row, and the problems of them all. */
export function PreviewPane({ source, check, checks }: PreviewPaneProps) {
  const { showRow } = useSession();
  return (
    <section className={panes.pane} style={{ gridArea: "preview" }} aria-labelledby="build-preview">
      {hasRows(source) ? (
        <div className={classes.body}>
          <Trial source={source} checks={checks} />
          <div className={classes.request}>
            <header className={panes.head}>
              <h2 id="build-preview">Preview</h2>
              <span className={panes.spacer} />
              <RowPicker source={source} />
            </header>
            <RowPreview source={source} />
          </div>
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
        <>
          <header className={panes.head}>
            <h2 id="build-preview">Preview</h2>
          </header>
          <div className={panes.body}>
            <NoPreview source={source} />
          </div>
        </>
      )}
    </section>
  );
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
