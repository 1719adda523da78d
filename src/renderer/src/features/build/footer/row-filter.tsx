import { Button, CloseButton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { type ColumnCondition, mostConditions, sourcePrefix } from "#contract";
import { ConditionForm, describeCondition, formatCount, formatNumber } from "../../../components/index.ts";
import { useContent, useSession } from "../draft/draft-session.ts";
import classes from "./rows-choice.module.css";

interface RowFilterProps {
  readonly columns: readonly string[];
  readonly rowCount: number;
  /** Rows that fit; null while that is not known. */
  readonly fitting: number | null;
}

/** Conditions on columns of the table: only rows that fit all of them are asked. */
export function RowFilter({ columns, rowCount, fitting }: RowFilterProps) {
  const { store } = useSession();
  const rows = useContent((content) => content.rows);
  const [isAdding, setAdding] = useState(false);
  const { filter: conditions = [], ...others } = rows;
  const adder = useRef<HTMLButtonElement>(null);
  function change(filter: ColumnCondition[]): void {
    store.edit({ rows: filter.length === 0 ? others : { ...others, filter } });
    setAdding(false);
    // What had the focus is gone.
    requestAnimationFrame(() => adder.current?.focus());
  }
  return (
    <div className={classes.filter}>
      {conditions.length === 0 ? null : (
        <>
          <ul className={classes.conditions} aria-label="Filters">
            {conditions.map((condition) => {
              const words = describeCondition(condition, condition.path.slice(sourcePrefix.length));
              return (
                <li key={words}>
                  <span title={words} dir="auto">
                    {words}
                  </span>
                  <CloseButton
                    size="sm"
                    aria-label={`Remove the filter: ${words}`}
                    onClick={() => change(conditions.filter((one) => one !== condition))}
                  />
                </li>
              );
            })}
          </ul>
          <output className={classes.hint}>
            {fitting === null ? "Counting…" : `${formatNumber(fitting)} of ${formatCount(rowCount, "row")} fit.`}
          </output>
        </>
      )}
      {isAdding ? (
        <ConditionForm
          columns={columns.map((column) => ({ value: `${sourcePrefix}${column}`, label: column }))}
          first={`${sourcePrefix}${columns[0] ?? ""}`}
          onAdd={(condition) => {
            const others = conditions.filter((one) => JSON.stringify(one) !== JSON.stringify(condition));
            change([...others, condition]);
          }}
        />
      ) : (
        <Button
          ref={adder}
          size="compact-xs"
          variant="subtle"
          className={classes.add}
          leftSection={<IconPlus size={14} />}
          disabled={conditions.length >= mostConditions}
          onClick={() => setAdding(true)}
        >
          Filter by a column
        </Button>
      )}
    </div>
  );
}
