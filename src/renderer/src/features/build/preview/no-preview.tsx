import type { Source } from "#contract";
import classes from "./preview-pane.module.css";

/** True where there is a row to preview, and to check. */
export function hasRows(source: Source | null): source is Source {
  return source !== null && source.rowCount > 0;
}

/** Stands where the preview and the problems will be. */
export function NoPreview({ source }: { readonly source: Source | null }) {
  const missing = source === null ? "there is a source" : "the source has a row";
  return <p className={classes.none}>The request of each row shows here as soon as {missing}.</p>;
}
