import { Button, Group, Select, type SelectProps, TagsInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { type ColumnCondition, mostValues } from "#contract";

type Operator = ColumnCondition["op"];

const words: Readonly<Record<Operator, string>> = {
  contains: "contains",
  not_contains: "doesn't contain",
  starts_with: "starts with",
  ends_with: "ends with",
  equals: "is",
  not_equals: "is not",
  one_of: "is one of",
  empty: "is empty",
  not_empty: "is not empty",
  less: "is less than",
  at_least: "is at least",
  greater: "is greater than",
  breaks_schema: "breaks the schema",
};

/** How figures are compared. */
const figureOperators: readonly Operator[] = [
  "greater",
  "at_least",
  "less",
  "equals",
  "not_equals",
  "empty",
  "not_empty",
];
/** How whatever else is: what looks like a number is one. */
const operators: readonly Operator[] = [
  "contains",
  "not_contains",
  "starts_with",
  "ends_with",
  "equals",
  "not_equals",
  "one_of",
  "empty",
  "not_empty",
  "less",
  "at_least",
  "greater",
];

/** A condition in words: `Tokens is greater than 500`. */
export function describeCondition(condition: ColumnCondition, column: string, isFigure = false): string {
  const quote = (value: string) => (isFigure ? value : `“${value}”`);
  const what = `${column} ${words[condition.op]}`;
  if ("value" in condition) return `${what} ${quote(condition.value)}`;
  return "values" in condition ? `${what} ${condition.values.map(quote).join(", ")}` : what;
}

export interface ConditionFormProps {
  /** The columns that there are, by their paths. */
  readonly columns: NonNullable<SelectProps["data"]>;
  /** The path of the one that is offered first. */
  readonly first: string;
  /** Columns with nothing but numbers in them. */
  readonly figures?: ReadonlySet<string>;
  /** Whether answers were asked for by a schema, which they may break. */
  readonly hasSchemas?: boolean;
  readonly onAdd: (condition: ColumnCondition) => void;
}

const noFigures: ReadonlySet<string> = new Set();

/** A condition on a column, to be filled in. */
export function ConditionForm({ columns, first, figures = noFigures, hasSchemas = false, onAdd }: ConditionFormProps) {
  const [path, setPath] = useState(first);
  const [chosen, setChosen] = useState<string | null>(null);
  const [value, setValue] = useState("");
  const [values, setValues] = useState<string[]>([]);
  /** How many pasted values there was no room for. */
  const [leftOut, setLeftOut] = useState(0);
  const isFigure = figures.has(path);
  const offered: readonly Operator[] = [
    ...(isFigure ? figureOperators : operators),
    ...(hasSchemas && path === "answer" ? (["breaks_schema"] as const) : []),
  ];
  const operator = offered.find((one) => one === chosen) ?? offered[0] ?? "contains";
  const isNumber = /^-?\d+([.,]\d+)?$/.test(value.trim());
  const hasValue = value.trim() !== "" && (isNumber || !isFigure);
  const condition = fillIn(path, operator, hasValue ? value.trim() : null, values);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (condition !== null) onAdd(condition);
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
      <Group grow mt="xs" gap="xs" align="flex-start">
        <Select
          size="xs"
          aria-label="Compared how"
          data={offered.map((one) => ({ value: one, label: words[one] }))}
          value={operator}
          allowDeselect={false}
          maxDropdownHeight={320}
          comboboxProps={{ withinPortal: false }}
          onChange={setChosen}
        />
        {operator === "one_of" ? (
          <TagsInput
            size="xs"
            aria-label="Compared with"
            placeholder={values.length === 0 ? "Enter after each" : ""}
            maxTags={mostValues}
            acceptValueOnBlur
            value={values}
            error={leftOut === 0 ? null : `At most ${mostValues} values: ${leftOut} of the pasted ones are left out.`}
            // Also those between the cells of a pasted column.
            splitChars={[",", "\n", "\r", "\t"]}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData("text/plain").split(/[,\r\n\t]/);
              const all = [...values, ...pasted].map((cell) => cell.trim().toLowerCase()).filter((cell) => cell !== "");
              setLeftOut(Math.max(0, new Set(all).size - mostValues));
            }}
            onChange={(next) => {
              setValues(next);
              if (next.length < mostValues) setLeftOut(0);
            }}
          />
        ) : operator === "empty" || operator === "not_empty" || operator === "breaks_schema" ? null : (
          <TextInput
            size="xs"
            aria-label="Compared with"
            dir="auto"
            value={value}
            error={isFigure && value !== "" && !isNumber ? "Type a number." : null}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        )}
      </Group>
      <Button type="submit" size="xs" variant="filled" mt="sm" disabled={condition === null}>
        Add filter
      </Button>
    </form>
  );
}

/** The condition as far as it is filled in; null while something is missing. */
function fillIn(path: string, op: Operator, value: string | null, values: string[]): ColumnCondition | null {
  switch (op) {
    case "empty":
    case "not_empty":
      return { path, op };
    case "breaks_schema":
      return { path: "answer", op };
    case "one_of":
      return values.length === 0 ? null : { path, op, values };
    default:
      return value === null ? null : { path, op, value };
  }
}
