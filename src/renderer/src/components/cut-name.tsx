import classes from "./cut-name.module.css";
import { shortModelName, splitName } from "./cut-name.ts";

export interface CutNameProps {
  readonly name: string;
  /** The tooltip where it says more than the name: that of a model with its vendor. */
  readonly title?: string;
  /** Characters at its end that are always shown. */
  readonly end?: number;
}

/**
 * Shows a name on one line, and cuts it in its middle if it is too long: similar names often differ at their ends. Copies,
 * searches and screen readers get the whole name.
 */
export function CutName({ name, title = name, end: kept }: CutNameProps) {
  const parts = splitName(name, kept);
  if (parts === null) {
    return (
      <span className={classes.plain} dir="auto" title={title}>
        {name}
      </span>
    );
  }
  const [start, end] = parts;
  return (
    <span className={classes.cut} title={title}>
      <span className={classes.whole}>{name}</span>
      <span aria-hidden className={classes.drawn} data-start={start} data-end={end} />
    </span>
  );
}

/** Models without their vendor, the first with how many more there are; the tooltip has them whole. */
export function ModelNames({ models }: { readonly models: readonly string[] }) {
  const [first, ...others] = models;
  if (first === undefined) return null;
  const more = others.length === 0 ? "" : ` +${others.length}`;
  return <CutName name={`${shortModelName(first)}${more}`} title={models.join("\n")} end={5} />;
}
