import { Button, Group, Select, type SelectProps, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ColumnCondition } from "#contract";

/** How figures are compared. */
const figureOperators = [
  { value: "greater", label: "is greater than" },
  { value: "at_least", label: "is at least" },
  { value: "less", label: "is less than" },
  { value: "equals", label: "equals" },
] as const;

/** How whatever else is: what looks like a number is one. */
const operators = [{ value: "contains", label: "contains" }, ...figureOperators.toReversed()] as const;

/** A condition in words: `Tokens is greater than 500`. */
export function describeCondition({ op, value }: ColumnCondition, column: string, isFigure = false): string {
  const words = operators.find((one) => one.value === op)?.label ?? op;
  return `${column} ${words} ${isFigure ? value : `“${value}”`}`;
}

export interface ConditionFormProps {
  /** The columns that there are, by their paths. */
  readonly columns: NonNullable<SelectProps["data"]>;
  /** The path of the one that is offered first. */
  readonly first: string;
  /** Columns with nothing but numbers in them. */
  readonly figures?: ReadonlySet<string>;
  readonly onAdd: (condition: ColumnCondition) => void;
}

const noFigures: ReadonlySet<string> = new Set();

/** A condition on a column, to be filled in. */
export function ConditionForm({ columns, first, figures = noFigures, onAdd }: ConditionFormProps) {
  const [path, setPath] = useState(first);
  const [chosen, setChosen] = useState<string | null>(null);
  const [value, setValue] = useState("");
  const isFigure = figures.has(path);
  const offered: readonly { readonly value: ColumnCondition["op"]; readonly label: string }[] = isFigure
    ? figureOperators
    : operators;
  const operator = offered.find((one) => one.value === chosen) ?? offered[0];
  const isNumber = /^-?\d+([.,]\d+)?$/.test(value.trim());
  const isReady = operator !== undefined && value.trim() !== "" && (isNumber || !isFigure);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onAdd({ path, op: operator.value, value: value.trim() });
      }}
    >
      <Select
        size="xs"
        autoFocus
        openOnFocus={false}
        label="Column"
        data={columns}
        value={path}
        searchable
        allowDeselect={false}
        maxDropdownHeight={260}
        comboboxProps={{ withinPortal: false }}
        onChange={(column) => setPath(column ?? first)}
      />
      <Group grow mt="xs" gap="xs">
        <Select
          size="xs"
          aria-label="Compared how"
          data={offered}
          value={operator?.value ?? null}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          onChange={setChosen}
        />
        <TextInput
          size="xs"
          aria-label="Compared with"
          dir="auto"
          value={value}
          error={isFigure && value !== "" && !isNumber ? "Type a number." : null}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      </Group>
      <Button type="submit" size="xs" variant="filled" mt="sm" disabled={!isReady}>
        Add filter
      </Button>
    </form>
  );
}
