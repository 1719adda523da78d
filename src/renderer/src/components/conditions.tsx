import { Button, CloseButton, Group, Input, Select, type SelectProps, TagsInput, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ClipboardEvent, useState } from "react";
import {
  type ColumnCondition,
  formatCount,
  formatNumber,
  mostListedValues,
  mostValueCharacters,
  mostValues,
} from "#contract";
import { showFailure } from "./messages.tsx";
import { isOfCells, readPastedCells, unlikeValues } from "./pasted-cells.ts";

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
  in_list: "is one of",
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
  if (condition.op === "in_list") return `${what} ${formatCount(condition.count, "value")}`;
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
  /** Stores more values than a condition has room for, and resolves with the list's id; without it they are left out. */
  readonly onKeepList?: (values: readonly string[]) => Promise<string>;
  readonly onAdd: (condition: ColumnCondition) => void;
}

const noFigures: ReadonlySet<string> = new Set();

/** A condition on a column, to be filled in. */
export function ConditionForm(props: ConditionFormProps) {
  const { columns, first, figures = noFigures, hasSchemas = false, onKeepList, onAdd } = props;
  const [path, setPath] = useState(first);
  const [chosen, setChosen] = useState<string | null>(null);
  const [value, setValue] = useState("");
  const [values, setValues] = useState<string[]>([]);
  /** How many pasted values there was no room for. */
  const [leftOut, setLeftOut] = useState(0);
  /** More values than a condition has room for. */
  const [listed, setListed] = useState<readonly string[] | null>(null);
  /** The button that removes them takes the focus with it. */
  const [isCleared, setCleared] = useState(false);
  const keep = useMutation({
    mutationFn: async (kept: readonly string[]) => (await onKeepList?.(kept)) ?? "",
    onSuccess: (list, kept) => onAdd({ path, op: "in_list", list, count: kept.length }),
    onError: (error) => showFailure("The values could not be stored", error),
  });
  const isFigure = figures.has(path);
  const offered: readonly Operator[] = [
    ...(isFigure ? figureOperators : operators),
    ...(hasSchemas && path === "answer" ? (["breaks_schema"] as const) : []),
  ];
  const operator = offered.find((one) => one === chosen) ?? offered[0] ?? "contains";
  const isNumber = /^-?\d+([.,]\d+)?$/.test(value.trim());
  const hasValue = value.trim() !== "" && (isNumber || !isFigure);
  const condition = fillIn(path, operator, hasValue ? value.trim() : null, values);
  const toKeep = operator === "one_of" ? listed : null;
  const most = onKeepList === undefined ? mostValues : mostListedValues;
  const paste = (text: string) => {
    const cells = isOfCells(text) ? text : text.replaceAll(",", "\n");
    const all = unlikeValues([...values, ...readPastedCells(cells)]);
    setLeftOut(Math.max(0, all.length - most));
    if (all.length <= mostValues || onKeepList === undefined) setValues(all.slice(0, mostValues));
    else setListed(all.slice(0, most));
  };
  const tooMany =
    leftOut === 0
      ? null
      : `At most ${formatNumber(most)} values: ${formatNumber(leftOut)} of the pasted values were left out.`;
  const given = toKeep ?? (condition === null ? [] : valuesOf(condition));
  // An address with a longer value would lose all of its conditions.
  const tooLong = given.some(({ length }) => length > mostValueCharacters)
    ? `A value has at most ${formatNumber(mostValueCharacters)} characters. Remove the longer ones.`
    : null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (toKeep !== null) keep.mutate(toKeep);
        else if (condition !== null) onAdd(condition);
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
        {toKeep !== null ? (
          <Input.Wrapper size="xs" error={tooLong ?? tooMany}>
            <Group gap={4} wrap="nowrap" h={30}>
              <Text size="xs" truncate title={toKeep.slice(0, 20).join("\n")}>
                {formatCount(toKeep.length, "value")} pasted
              </Text>
              <CloseButton
                size="sm"
                aria-label="Remove the pasted values"
                onClick={() => {
                  setListed(null);
                  setCleared(true);
                  setLeftOut(0);
                }}
              />
            </Group>
          </Input.Wrapper>
        ) : operator === "one_of" ? (
          <TagsInput
            size="xs"
            autoFocus={isCleared}
            aria-label="Compared with"
            placeholder={values.length === 0 ? "Press Enter after each, or paste a column" : ""}
            maxTags={mostValues}
            acceptValueOnBlur
            value={values}
            error={tooLong ?? tooMany}
            splitChars={[","]}
            wrapperProps={{
              // The field's own way would split cells at their commas.
              onPasteCapture(event: ClipboardEvent) {
                event.preventDefault();
                event.stopPropagation();
                paste(event.clipboardData.getData("text/plain"));
              },
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
            error={isFigure && value !== "" && !isNumber ? "Type a number." : tooLong}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        )}
      </Group>
      <Button
        type="submit"
        size="xs"
        variant="filled"
        mt="sm"
        disabled={tooLong !== null || (condition === null && toKeep === null)}
        loading={keep.isPending}
      >
        Add filter
      </Button>
    </form>
  );
}

function valuesOf(condition: ColumnCondition): readonly string[] {
  if ("values" in condition) return condition.values;
  return "value" in condition ? [condition.value] : [];
}

/** The condition as far as it is filled in; null while something is missing. */
function fillIn(path: string, op: Operator, value: string | null, values: string[]): ColumnCondition | null {
  switch (op) {
    case "empty":
    case "not_empty":
      return { path, op };
    case "breaks_schema":
      return { path: "answer", op };
    // It has an id once its values are stored.
    case "in_list":
      return null;
    case "one_of":
      return values.length === 0 ? null : { path, op, values };
    default:
      return value === null ? null : { path, op, value };
  }
}
