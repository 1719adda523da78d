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
        hasFailed={search.failed === true}
        counts={counts}
        onChoose={(statuses, hasFailed) =>
          onSearch({
            status: statuses.length === 0 ? undefined : [...statuses],
            failed: hasFailed ? true : undefined,
          })
        }
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
  /** Whether only batches with failed lines are shown. */
  readonly hasFailed: boolean;
  readonly onChoose: (statuses: readonly BatchStatus[], hasFailed: boolean) => void;
}

const failedLines = "With failed lines";

/** Narrows the list to some statuses, and to batches with failed lines. */
function StatusFilter({ chosen, hasFailed, counts, onChoose }: StatusFilterProps) {
  const words = [...chosen.map((status) => batchStatusTable[status].word), ...(hasFailed ? [failedLines] : [])];
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <Button className={classes.filter} rightSection={<IconChevronDown size={14} />} data-set={words.length > 0}>
          Status: {words.join(", ") || "any"}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.CheckboxGroup
          value={[...chosen]}
          onChange={(values) =>
            onChoose(
              batchStatuses.filter((status) => values.includes(status)),
              hasFailed,
            )
          }
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
        <Menu.CheckboxItem checked={hasFailed} onChange={(checked) => onChoose(chosen, checked)}>
          {failedLines}
        </Menu.CheckboxItem>
        <Menu.Divider />
        <Menu.Item disabled={words.length === 0} onClick={() => onChoose([], false)}>
          Show all
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
