import { IconAlertTriangle } from "@tabler/icons-react";
import { explainMisfits, type Misfit } from "#contract";
import classes from "./broken-schema.module.css";

/** The sign of an answer that breaks the schema that was asked for, or was not checked, the same wherever answers are shown. */
export function BrokenSchema({ misfits }: { readonly misfits: readonly Misfit[] }) {
  const why = explainMisfits(misfits);
  return (
    <span className={classes.sign} title={why}>
      <IconAlertTriangle size={14} stroke={1.8} aria-label={why} />
    </span>
  );
}
