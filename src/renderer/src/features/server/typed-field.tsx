import { TextInput } from "@mantine/core";
import { useState } from "react";
import classes from "./controls-panel.module.css";

interface TypedFieldProps<Value> {
  readonly label: string;
  readonly unit?: string;
  /** What the field shows while nothing is typed into it. */
  readonly text: string;
  readonly placeholder?: string;
  /** Undefined for what does not fit. */
  readonly read: (typed: string) => Value | undefined;
  /** What would fit. */
  readonly hint: string;
  readonly onChange: (value: Value) => void;
}

/** A value that holds once the field is left, or with Enter. What does not fit stays as it was typed, and is explained. */
export function TypedField<Value>({ label, unit, text, placeholder, read, hint, onChange }: TypedFieldProps<Value>) {
  const [typed, setTyped] = useState<string | null>(null);
  const value = typed === null ? undefined : read(typed);
  const fits = typed === null || value !== undefined;
  const commit = () => {
    if (typed === null || value === undefined) return;
    setTyped(null);
    if (typed.trim() !== text) onChange(value);
  };
  return (
    <TextInput
      aria-label={label}
      className={classes.number}
      inputMode="decimal"
      placeholder={placeholder}
      {...(unit !== undefined && {
        rightSection: <span className={classes.unit}>{unit}</span>,
        rightSectionWidth: unit.length > 2 ? 44 : 34,
      })}
      value={typed ?? text}
      error={fits ? null : hint}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
        else if (event.key === "Escape" && typed !== null) setTyped(null);
      }}
    />
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly unit: string;
  readonly value: number;
  readonly most: number;
  readonly isWhole?: boolean;
  readonly onChange: (value: number) => void;
}

export function NumberField({ value, most, isWhole = false, ...field }: NumberFieldProps) {
  return (
    <TypedField
      {...field}
      text={String(value)}
      hint={`${isWhole ? "Whole, " : ""}0 to ${most}`}
      read={(typed) => readNumber(typed, most, isWhole)}
    />
  );
}

interface OptionalNumberFieldProps {
  readonly label: string;
  readonly unit?: string;
  readonly value: number | null;
  /** What it means that there is none. */
  readonly none: string;
  readonly onChange: (value: number | null) => void;
}

/** A whole number, or none. */
export function OptionalNumberField({ value, none, ...field }: OptionalNumberFieldProps) {
  return (
    <TypedField<number | null>
      {...field}
      text={value === null ? "" : String(value)}
      placeholder={none}
      hint="A whole number"
      read={(typed) => (typed.trim() === "" ? null : readNumber(typed, Number.MAX_SAFE_INTEGER, true))}
    />
  );
}

/** With a comma or a point; undefined for what is no number, or none that fits. */
function readNumber(text: string, most: number, isWhole: boolean): number | undefined {
  const trimmed = text.trim().replace(",", ".");
  const number = /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  return number <= most && (!isWhole || Number.isInteger(number)) ? number : undefined;
}
