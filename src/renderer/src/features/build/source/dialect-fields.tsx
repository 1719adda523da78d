import { NativeSelect, SegmentedControl, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { type CsvChoice, type CsvLayout, csvChoiceSchema } from "#contract";
import { delimiterNames } from "./describe-source.ts";
import classes from "./source.module.css";

interface DialectFieldsProps {
  readonly csv: CsvLayout;
  readonly onChange: (csv: CsvChoice) => void;
}

const other = "other";

/** The characters that a table of text is written with. What follows from another delimiter is guessed again. */
export function DialectFields({ csv, onChange }: DialectFieldsProps) {
  const { delimiter, quote, escape: sign, comment, trim } = csv;
  const [isOther, setOther] = useState(!(delimiter in delimiterNames));
  const change = (changed: CsvChoice) => onChange({ delimiter, quote, escape: sign, comment, trim, ...changed });
  return (
    <>
      <div>
        <div className={classes.formLabel} id="build-delimiter">
          Columns are separated by
        </div>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-labelledby="build-delimiter"
          value={isOther ? other : delimiter}
          data={[
            ...Object.entries(delimiterNames).map(([value, label]) => ({ value, label })),
            { value: other, label: "Other" },
          ]}
          onChange={(chosen) => {
            setOther(chosen === other);
            if (chosen !== other) onChange({ delimiter: chosen, comment });
          }}
        />
      </div>
      {isOther ? (
        <Character
          label="Delimiter"
          value={delimiter}
          isRight={(text) => csvChoiceSchema.safeParse({ delimiter: text }).success}
          onChange={(chosen) => onChange({ delimiter: chosen, comment })}
        />
      ) : null}
      <div className={classes.rowNumbers}>
        <NativeSelect
          size="xs"
          label="Quote"
          value={quote ?? ""}
          data={[...new Set(['"', "'", quote ?? ""]).add("")].map((value) => ({ value, label: value || "None" }))}
          onChange={({ currentTarget: { value } }) => change({ quote: value || null })}
        />
        <NativeSelect
          size="xs"
          label="Quotes in text"
          value={sign ?? ""}
          data={[
            { value: "", label: "Doubled" },
            { value: "\\", label: "After \\" },
            ...(sign === null || sign === "\\" ? [] : [{ value: sign, label: `After ${sign}` }]),
          ]}
          onChange={({ currentTarget: { value } }) => change({ escape: value || null })}
        />
      </div>
      <Character
        label="Comment lines begin with"
        value={comment ?? ""}
        isRight={(text) => text === "" || csvChoiceSchema.safeParse({ comment: text }).success}
        onChange={(chosen) => change({ comment: chosen || null })}
      />
      <Switch
        size="sm"
        label="Skip spaces after delimiters"
        checked={trim}
        onChange={({ currentTarget: { checked } }) => change({ trim: checked })}
      />
    </>
  );
}

interface CharacterProps {
  readonly label: string;
  readonly value: string;
  readonly isRight: (text: string) => boolean;
  readonly onChange: (value: string) => void;
}

/** A field for one character. */
function Character({ label, value, isRight, onChange }: CharacterProps) {
  const [typed, setTyped] = useState(value);
  return (
    <TextInput
      size="xs"
      label={label}
      value={typed}
      error={isRight(typed) ? null : "One character"}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        if (isRight(currentTarget.value) && currentTarget.value !== value) onChange(currentTarget.value);
      }}
    />
  );
}
