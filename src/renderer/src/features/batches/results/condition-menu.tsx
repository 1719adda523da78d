import { Button, Group, Popover, Select, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { ColumnCondition } from "#contract";
import type { ResultColumn } from "./result-columns.tsx";

/** How figures are compared. */
const figureOperators = [
  { value: "greater", label: "is greater than" },
  { value: "at_least", label: "is at least" },
  { value: "less", label: "is less than" },
  { value: "equals", label: "equals" },
] as const;

/** How whatever else is: what looks like a number is one. */
const operators = [{ value: "contains", label: "contains" }, ...figureOperators.toReversed()] as const;

const figures = new Set(["line", "milliseconds", "prompt_tokens", "completion_tokens", "cost"]);
/** Have a filter of their own. */
const chips = new Set(["status", "finish", "error", "verdict", "grade"]);

/** What a column is called; one that is not among them by its path. */
export function nameColumn(path: string, columns: readonly Pick<ResultColumn, "id" | "header">[]): string {
  return columns.find(({ id }) => id === path)?.header ?? path.replace(/^(source|answer)\./, "");
}

/** A condition in words: `Tokens is greater than 500`. */
export function describeCondition(
  { path, op, value }: ColumnCondition,
  columns: readonly Pick<ResultColumn, "id" | "header">[],
): string {
  const words = operators.find((one) => one.value === op)?.label ?? op;
  return `${nameColumn(path, columns)} ${words} ${figures.has(path) ? value : `“${value}”`}`;
}

export interface ConditionMenuProps {
  readonly columns: readonly ResultColumn[];
  readonly onAdd: (condition: ColumnCondition) => void;
}

/** Adds a condition on a column. */
export function ConditionMenu({ columns, onAdd }: ConditionMenuProps) {
  const [opened, { toggle, close }] = useDisclosure();
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && close()}
      position="bottom-start"
      width={340}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button size="xs" variant="subtle" color="gray" leftSection={<IconPlus size={14} />} onClick={toggle}>
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ConditionForm
          columns={columns}
          onAdd={(condition) => {
            onAdd(condition);
            close();
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** The columns by where they come from. */
export function groupColumns(columns: readonly ResultColumn[]) {
  const options = columns.map(({ id, header }) => ({
    value: id,
    label: id === "milliseconds" ? "Time in milliseconds" : header,
  }));
  const isOf = (prefix: string) => (option: { readonly value: string }) => option.value.startsWith(prefix);
  const groups = [
    {
      group: "Request and answer",
      items: options.filter((option) => !isOf("source.")(option) && !isOf("answer.")(option)),
    },
    { group: "In the answer", items: options.filter(isOf("answer.")) },
    { group: "Table", items: options.filter(isOf("source.")) },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

function ConditionForm({ columns, onAdd }: ConditionMenuProps) {
  const [path, setPath] = useState("answer");
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
        label="Column"
        data={groupColumns(columns.filter(({ id }) => !chips.has(id)))}
        value={path}
        searchable
        allowDeselect={false}
        maxDropdownHeight={260}
        comboboxProps={{ withinPortal: false }}
        onChange={(column) => setPath(column ?? "answer")}
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
