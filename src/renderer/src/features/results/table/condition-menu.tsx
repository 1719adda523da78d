import { Button, Popover } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFilter } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import {
  type ColumnCondition,
  filterMemberOf,
  findColumn,
  isInAnswer,
  labelPaths,
  listColumnNames,
  type ResultFilter,
  resultColumns,
  sourcePrefix,
} from "#contract";
import { useApi, useRpc } from "../../../bridge/index.ts";
import { ConditionForm, describeCondition } from "../../../components/index.ts";
import type { ResultColumn } from "./result-columns.tsx";
import classes from "./results-filter.module.css";

const figures: ReadonlySet<string> = new Set(
  listColumnNames().filter((path) => resultColumns[path].kind !== undefined),
);

/** What a column is called; one that is not among them by its path. */
export function nameColumn(path: string, columns: readonly Pick<ResultColumn, "id" | "header">[]): string {
  return (
    columns.find(({ id }) => id === path)?.header ?? findColumn(path)?.header ?? path.replace(/^(source|answer)\./, "")
  );
}

/** A condition on a column of results in words. */
export function describeResultCondition(
  condition: ColumnCondition,
  columns: readonly Pick<ResultColumn, "id" | "header">[],
): string {
  // The column "Other" of the table of labels.
  if (condition.path === labelPaths.given && condition.op === "empty") return "Given: another text";
  return describeCondition(condition, nameColumn(condition.path, columns), figures.has(condition.path));
}

export interface ConditionMenuProps {
  readonly batchId: string;
  readonly columns: readonly ResultColumn[];
  /** The filters by a list of values that are not set yet. */
  readonly filters: ReactNode;
  /** What is chosen: the menu closes once it changes. */
  readonly filter: ResultFilter;
  readonly onAdd: (condition: ColumnCondition) => void;
}

/** Adds a filter: a value of a column that has few, or a condition on any other. */
export function ConditionMenu({ batchId, columns, filters, filter, onAdd }: ConditionMenuProps) {
  const [opened, { toggle, close }] = useDisclosure();
  const [before, setBefore] = useState(filter);
  if (before !== filter) {
    setBefore(filter);
    if (opened) close();
  }
  const api = useApi();
  const rpc = useRpc();
  const { data: hasSchemas = false } = useQuery(
    api.grades.hasSchemas.queryOptions({ input: { batchId }, enabled: opened, staleTime: 60_000 }),
  );
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
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          className={classes.add}
          leftSection={<IconFilter size={14} />}
          title="Filter"
          onClick={toggle}
        >
          <span className={classes.word}>Filter</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.filters}>{filters}</div>
        <ConditionForm
          // The others have a filter of their own.
          columns={groupColumns(columns.filter(({ id }) => filterMemberOf(id) === undefined))}
          first="answer"
          figures={figures}
          hasSchemas={hasSchemas}
          onKeepList={async (values) => (await rpc.results.keepList({ batchId, values: [...values] })).id}
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
    label: findColumn(id)?.headerWithUnit ?? header,
  }));
  const isOf = (prefix: string) => (option: { readonly value: string }) => option.value.startsWith(prefix);
  const groups = [
    {
      group: "Request and answer",
      items: options.filter((option) => !isOf(sourcePrefix)(option) && !isInAnswer(option.value)),
    },
    { group: "In the answer", items: options.filter(({ value }) => isInAnswer(value)) },
    { group: "Table", items: options.filter(isOf(sourcePrefix)) },
  ];
  return groups.filter(({ items }) => items.length > 0);
}
