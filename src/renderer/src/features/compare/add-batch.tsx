import { Select } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { BatchView } from "#contract";
import { RelativeTime } from "../../components/index.ts";
import classes from "./compare.module.css";

export interface AddBatchProps {
  readonly batches: readonly BatchView[];
  /** Those that are compared already. */
  readonly ids: readonly string[];
  readonly onAdd: (id: string) => void;
  /** Whether nothing else can be done yet. */
  readonly isFirst: boolean;
}

/** Adds a batch to the comparison; those that belong together with it are offered first. */
export function AddBatch({ batches, ids, onAdd, isFirst }: AddBatchProps) {
  const rootOf = ({ id, link }: BatchView) => link?.root ?? id;
  const roots = new Set(batches.filter(({ id }) => ids.includes(id)).map(rootOf));
  const others = batches.filter(({ id, counts }) => !ids.includes(id) && counts.total > 0);
  const { linked = [], rest = [] } = Object.groupBy(others, (batch) => (roots.has(rootOf(batch)) ? "linked" : "rest"));
  const toItem = ({ id, name }: BatchView) => ({ value: id, label: name });
  const data = [
    ...(linked.length === 0 ? [] : [{ group: "Belong together", items: linked.map(toItem) }]),
    ...(rest.length === 0 ? [] : [{ group: linked.length === 0 ? "Batches" : "Others", items: rest.map(toItem) }]),
  ];
  return (
    <Select
      // What was typed is gone once a batch has been chosen.
      key={ids.join()}
      className={classes.add}
      size="xs"
      aria-label="Add a batch to compare"
      placeholder="Add a batch"
      leftSection={<IconPlus size={14} />}
      searchable
      autoFocus={isFirst}
      nothingFoundMessage="No other batch has this name"
      limit={200}
      comboboxProps={{ width: 320, position: "bottom-start" }}
      data={data}
      value={null}
      onChange={(id) => id !== null && onAdd(id)}
      renderOption={({ option }) => {
        const batch = batches.find(({ id }) => id === option.value);
        return (
          <span className={classes.option}>
            <span className={classes.optionName} dir="auto">
              {option.label}
            </span>
            {batch === undefined ? null : (
              <RelativeTime time={batch.times.created} isReal={batch.connection !== null} />
            )}
          </span>
        );
      }}
    />
  );
}
