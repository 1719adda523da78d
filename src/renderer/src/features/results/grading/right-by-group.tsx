import { Select } from "@mantine/core";
import { useState } from "react";
import { useSourceColumns } from "../../../queries/batch-queries.ts";
import { RightBy } from "../charts/right-by.tsx";
import { useResults } from "../results-context.tsx";
import classes from "./grades-tab.module.css";

/** How often answers are right by a column that the user chooses. `expected` is the column that they are graded against. */
export function RightByGroup({ expected }: { readonly expected: string | null }) {
  const { batchId } = useResults();
  const { columns, inPrompt } = useSourceColumns(batchId);
  const offered = columns.filter((column) => column !== expected);
  const [chosen, setChosen] = useState<string | null>(null);
  // What the prompt doesn't use divides the rows more often than it differs in each.
  const likely = offered.find((column) => !inPrompt.includes(column) && !/(^|_)id$/i.test(column));
  const column = chosen ?? likely ?? expected;
  if (column === null || column === undefined) return null;
  return (
    <div className={classes.group}>
      <Select
        size="xs"
        aria-label="Right by group"
        className={classes.select}
        searchable
        allowDeselect={false}
        data={[...(expected === null ? [] : [expected]), ...offered]}
        value={column}
        onChange={setChosen}
      />
      <RightBy key={column} column={column} mark="intervals" />
    </div>
  );
}
