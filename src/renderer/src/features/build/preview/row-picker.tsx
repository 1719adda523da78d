import { NumberInput } from "@mantine/core";
import { IconArrowsShuffle, IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { useStore } from "zustand";
import type { Source } from "#contract";
import { formatNumber, IconAction } from "../../../components/index.ts";
import { useSession } from "../draft/session-context.ts";
import classes from "./row-picker.module.css";

interface RowPickerProps {
  readonly source: Source;
}

/** Chooses the row that is previewed: the one before, the one after, any one, or by its number. */
export function RowPicker({ source: { rowCount, holds } }: RowPickerProps) {
  const { view, showRow } = useSession();
  const row = useStore(view, (state) => Math.min(state.row, rowCount));
  const unit = holds === "rows" ? "Row" : "Line";
  const steps = [
    { label: `Previous ${unit.toLowerCase()}`, icon: IconChevronLeft, to: row - 1 },
    { label: `Next ${unit.toLowerCase()}`, icon: IconChevronRight, to: row + 1 },
  ];
  return (
    <div className={classes.root}>
      <span className={classes.words}>{unit}</span>
      <RowNumber key={row} row={row} rowCount={rowCount} unit={unit} onChange={showRow} />
      <span className={classes.words}>of {formatNumber(rowCount)}</span>
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
      className={classes.number}
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
