import { IconDatabaseExclamation } from "@tabler/icons-react";
import { useDiskFailure } from "../../queries/disk.ts";
import classes from "./bar.module.css";

/** What the disk fails with, on every page, until it has passed. */
export function DiskBar() {
  const failure = useDiskFailure();
  const colon = failure?.indexOf(":") ?? -1;
  return (
    <div role="status">
      {failure === null ? null : (
        <div className={classes.bar}>
          <IconDatabaseExclamation size={18} className={classes.icon} aria-hidden />
          <p className={classes.text}>
            <strong>{failure.slice(0, colon + 1)}</strong>
            {failure.slice(colon + 1)}{" "}
            <span className={classes.soft}>Nothing is sent meanwhile, and nothing is lost.</span>
          </p>
        </div>
      )}
    </div>
  );
}
