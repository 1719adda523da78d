import { IconFileImport } from "@tabler/icons-react";
import classes from "./drop-overlay.module.css";

/** Lies over the place while files are dragged over the page. */
export function DropOverlay() {
  return (
    <div className={classes.root} aria-hidden>
      <div className={classes.card}>
        <IconFileImport size={28} stroke={1.5} />
        <span>Drop to use as the source</span>
      </div>
    </div>
  );
}
