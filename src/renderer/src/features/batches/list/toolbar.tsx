import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type Ref, useMemo } from "react";
import { type BatchStatus, type BatchView, batchStatuses, batchStatusTable } from "#contract";
import { formatCount, formatNumber, SearchField } from "../../../components/index.ts";
import type { BatchesSearch } from "../search-params.ts";
import classes from "./toolbar.module.css";

export interface ToolbarProps {
  readonly batches: readonly BatchView[];
  /** How many the filters leave; null while the list is being fetched. */
  readonly shown: number | null;
  readonly search: BatchesSearch;
  readonly onSearch: (change: Partial<BatchesSearch>) => void;
  readonly findRef: Ref<HTMLInputElement>;
  /** From the search field into the table. */
  readonly onLeave: () => void;
}

/** Search and filter above the list, and how much of it they leave. */
export function Toolbar({ batches, shown, search, onSearch, findRef, onLeave }: ToolbarProps) {
  const counts = useMemo(() => countByStatus(batches), [batches]);
  const all = batches.length;
  return (
    <search className={classes.root}>
      <SearchField
        ref={findRef}
        className={classes.find}
        label="Find batches"
        placeholder="Find by name, model or id"
        value={search.find}
        onChange={(find) => onSearch({ find })}
        onLeave={onLeave}
      />
      <StatusFilter
        chosen={search.status ?? []}
        counts={counts}
        onChoose={(statuses) => onSearch({ status: statuses.length === 0 ? undefined : [...statuses] })}
      />
      <output className={classes.shown}>
        {shown === null
          ? ""
          : shown === all
            ? formatCount(all, "batch", "batches")
            : `${formatNumber(shown)} of ${formatCount(all, "batch", "batches")}`}
      </output>
    </search>
  );
}

function countByStatus(batches: readonly BatchView[]): ReadonlyMap<BatchStatus, number> {
  const counts = new Map<BatchStatus, number>();
  for (const { status } of batches) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

interface StatusFilterProps {
  readonly chosen: readonly BatchStatus[];
  /** How many batches there are in each status. */
  readonly counts: ReadonlyMap<BatchStatus, number>;
  readonly onChoose: (statuses: readonly BatchStatus[]) => void;
}

/** Narrows the list to some statuses. */
function StatusFilter({ chosen, counts, onChoose }: StatusFilterProps) {
  const words = chosen.length === 0 ? "any" : chosen.map((status) => batchStatusTable[status].word).join(", ");
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <Button className={classes.filter} rightSection={<IconChevronDown size={14} />} data-set={chosen.length > 0}>
          Status: {words}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.CheckboxGroup
          value={[...chosen]}
          onChange={(values) => onChoose(batchStatuses.filter((status) => values.includes(status)))}
        >
          {batchStatuses.map((status) => (
            <Menu.CheckboxItem
              key={status}
              value={status}
              rightSection={<span className={classes.count}>{counts.get(status) ?? 0}</span>}
            >
              {batchStatusTable[status].word}
            </Menu.CheckboxItem>
          ))}
        </Menu.CheckboxGroup>
        <Menu.Divider />
        <Menu.Item disabled={chosen.length === 0} onClick={() => onChoose([])}>
          Show all
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
