import type { ReactNode } from "react";
import classes from "./panel.module.css";

interface RowProps {
  readonly label: string;
  readonly children: ReactNode;
  /** Buttons at the end of the row. */
  readonly actions?: ReactNode;
}

/** A line of a panel: a name, what it is, and what can be done with it. */
export function Row({ label, children, actions }: RowProps) {
  return (
    <div className={classes.row}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>{children}</dd>
      {actions ? <dd className={classes.actions}>{actions}</dd> : null}
    </div>
  );
}
