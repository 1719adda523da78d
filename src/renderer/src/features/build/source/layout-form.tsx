import { NativeSelect, NumberInput, Switch } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { type CsvLayout, encodings, isWorkbook, type Source, type SourceLayout } from "#contract";
import { encodingNames } from "./describe-source.ts";
import { DialectFields } from "./dialect-fields.tsx";
import classes from "./source.module.css";

interface LayoutFormProps {
  readonly source: Source;
  readonly onChange: (layout: Partial<SourceLayout>) => void;
}

/** How a file is read, as far as that can be chosen: what was guessed is set. */
export function LayoutForm({ source, onChange }: LayoutFormProps) {
  const { id, csv, encoding, valuesAsShown, visibleRowsOnly } = source;
  return (
    <>
      {csv === null || isWorkbook(source) ? null : (
        <DialectFields key={`${id} ${csv.delimiter}`} csv={csv} onChange={(changed) => onChange({ csv: changed })} />
      )}
      {csv === null ? null : (
        <HeaderFields key={id} csv={csv} onChange={(rows) => onChange({ csv: { ...csv, ...rows } })} />
      )}
      {isWorkbook(source) ? (
        <>
          <Switch
            size="sm"
            label="Values as shown"
            description="Numbers and dates by the formats of their cells"
            checked={valuesAsShown}
            onChange={({ currentTarget: { checked } }) => onChange({ valuesAsShown: checked })}
          />
          <Switch
            size="sm"
            label="Visible rows only"
            checked={visibleRowsOnly}
            onChange={({ currentTarget: { checked } }) => onChange({ visibleRowsOnly: checked })}
          />
        </>
      ) : null}
      {encoding === null ? null : (
        <NativeSelect
          size="xs"
          label="Encoding"
          value={encoding}
          data={encodings.map((value) => ({ value, label: encodingNames[value] }))}
          onChange={({ currentTarget }) => {
            const chosen = encodings.find((value) => value === currentTarget.value);
            if (chosen !== undefined) onChange({ encoding: chosen });
          }}
        />
      )}
    </>
  );
}

interface HeaderFieldsProps {
  readonly csv: CsvLayout;
  readonly onChange: (rows: Pick<CsvLayout, "header" | "skip">) => void;
}

/** Which row names the columns, and which rows at the start are left out. */
function HeaderFields({ csv: { header, skip }, onChange }: HeaderFieldsProps) {
  return (
    <>
      <Switch
        size="sm"
        label="A row names the columns"
        checked={header !== null}
        // What is above the header stays left out without it, and the other way round.
        onChange={({ currentTarget: { checked } }) =>
          onChange(checked ? { header: skip + 1, skip: 0 } : { header: null, skip: (header ?? 1) - 1 })
        }
      />
      <div className={classes.rowNumbers}>
        {header === null ? null : (
          <RowNumber label="Header row" least={1} value={header} onChange={(row) => onChange({ header: row, skip })} />
        )}
        <RowNumber
          label={header === null ? "Skip at the start" : "Skip after header"}
          least={0}
          value={skip}
          onChange={(rows) => onChange({ header, skip: rows })}
        />
      </div>
    </>
  );
}

/** The table is read again with each number: so long after the last key, in milliseconds. */
const typingPause = 500;

interface RowNumberProps {
  readonly label: string;
  readonly least: number;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** The number of a row, or of rows, as the file or sheet counts. */
function RowNumber({ label, least, value, onChange }: RowNumberProps) {
  const [typed, setTyped] = useState<string | number>(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setTyped(value);
  }
  const isRight = (next: string | number) => next !== "" && Number.isInteger(Number(next)) && Number(next) >= least;
  const change = useDebouncedCallback((number: number) => number !== value && onChange(number), {
    delay: typingPause,
    flushOnUnmount: true,
  });
  return (
    <NumberInput
      size="xs"
      label={label}
      value={typed}
      allowNegative
      clampBehavior="none"
      thousandSeparator=","
      error={isRight(typed) ? null : `A whole number from ${least}`}
      onChange={(next) => {
        setTyped(next);
        if (isRight(next)) change(Number(next));
      }}
    />
  );
}
