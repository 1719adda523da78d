import { placeholderFor } from "#contract";
import { useInsertionPoint } from "../template/insertion-point.ts";
import classes from "./column-chips.module.css";

interface ColumnChipsProps {
  readonly columns: readonly string[];
}

/** The columns of the source. A click puts one into the prompt, at the cursor. */
export function ColumnChips({ columns }: ColumnChipsProps) {
  const insertionPoint = useInsertionPoint();
  return (
    <ul className={classes.list} aria-label="Columns">
      {columns.map((column) => (
        <li key={column}>
          <button
            type="button"
            className={classes.chip}
            aria-label={`Insert ${placeholderFor(column)}`}
            title={`Insert ${placeholderFor(column)}`}
            // The focus stays in the editor, so that the cursor is where the column goes.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => insertionPoint.insert(placeholderFor(column))}
          >
            {column}
          </button>
        </li>
      ))}
    </ul>
  );
}
