import { TextInput } from "@mantine/core";
import { useState } from "react";
import classes from "./controls-panel.module.css";

interface NumberFieldProps {
  readonly label: string;
  readonly unit: string;
  readonly value: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

/** A number that holds once the field is left, or with Enter. What does not fit stays as it was typed, and is explained. */
export function NumberField({ label, unit, value, most, onChange }: NumberFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const number = typed === null ? value : readNumber(typed);
  const fits = number !== null && number >= 0 && number <= most;
  const commit = () => {
    if (typed === null || !fits) return;
    setTyped(null);
    if (number !== value) onChange(number);
  };
  return (
    <TextInput
      aria-label={label}
      className={classes.number}
      inputMode="decimal"
      rightSection={<span className={classes.unit}>{unit}</span>}
      rightSectionWidth={34}
      value={typed ?? String(value)}
      error={fits ? null : `0 to ${most}`}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
        else if (event.key === "Escape" && typed !== null) setTyped(null);
      }}
    />
  );
}

/** With a comma or a point; null for what is no number. */
function readNumber(text: string): number | null {
  const trimmed = text.trim().replace(",", ".");
  return /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : null;
}
