import { IconAlertTriangle } from "@tabler/icons-react";
import type { Misfit } from "#contract";
import classes from "./broken-schema.module.css";

/** The sign of an answer that breaks the schema that was asked for, the same wherever answers are shown. */
export function BrokenSchema({ misfits }: { readonly misfits: readonly Misfit[] }) {
  const why = `Breaks the schema: ${misfits.map((misfit) => misfit.why).join(" ")}`;
  return (
    <span className={classes.sign} title={why}>
      <IconAlertTriangle size={14} stroke={1.8} aria-label={why} />
    </span>
  );
}
