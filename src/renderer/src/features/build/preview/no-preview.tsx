import classes from "./preview-pane.module.css";

/** Stands where the preview and the problems will be. */
export function NoPreview() {
  return <p className={classes.none}>The request of each row shows here as soon as there is a source.</p>;
}
