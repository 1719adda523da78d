import { Button, Group, Popover, Select, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { ColumnCondition } from "#contract";

const columns = [
  { value: "milliseconds", label: "Time in milliseconds" },
  { value: "completion_tokens", label: "Tokens" },
  { value: "prompt_tokens", label: "Prompt tokens" },
  { value: "line", label: "Line" },
] as const;

const operators = [
  { value: "greater", label: "is greater than" },
  { value: "at_least", label: "is at least" },
  { value: "less", label: "is less than" },
  { value: "equals", label: "equals" },
] as const;

/** A condition in words: `Tokens is greater than 500`. */
export function describeCondition({ path, op, value }: ColumnCondition): string {
  const column = columns.find((one) => one.value === path)?.label ?? path;
  return `${column} ${operators.find((one) => one.value === op)?.label ?? op} ${value}`;
}

/** Adds a condition on a column of figures. */
export function ConditionMenu({ onAdd }: { readonly onAdd: (condition: ColumnCondition) => void }) {
  const [opened, { toggle, close }] = useDisclosure();
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && close()}
      position="bottom-start"
      width={300}
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
          onAdd={(condition) => {
            onAdd(condition);
            close();
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function ConditionForm({ onAdd }: { readonly onAdd: (condition: ColumnCondition) => void }) {
  const [path, setPath] = useState<string>(columns[0].value);
  const [op, setOp] = useState<string>(operators[0].value);
  const [value, setValue] = useState("");
  const isNumber = /^-?\d+([.,]\d+)?$/.test(value.trim());
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const operator = operators.find((one) => one.value === op)?.value ?? "greater";
        if (isNumber) onAdd({ path, op: operator, value: value.trim() });
      }}
    >
      <Select
        size="xs"
        label="Column"
        data={columns}
        value={path}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        onChange={(chosen) => setPath(chosen ?? columns[0].value)}
      />
      <Group grow mt="xs" gap="xs">
        <Select
          size="xs"
          aria-label="Compared how"
          data={operators}
          value={op}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          onChange={(chosen) => setOp(chosen ?? operators[0].value)}
        />
        <TextInput
          size="xs"
          aria-label="Compared with"
          value={value}
          error={value !== "" && !isNumber ? "Type a number." : null}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      </Group>
      <Button type="submit" size="xs" variant="filled" mt="sm" disabled={!isNumber}>
        Add filter
      </Button>
    </form>
  );
}
