import { Link } from "@tanstack/react-router";
import { formatNumber } from "../../components/index.ts";
import { sumRunning, underWayStatuses, useBatches } from "../../features/batches/index.ts";
import classes from "./top-bar.module.css";

/** How far all running batches are together; nothing while nothing runs. */
export function RunningCount() {
  const { batches } = useBatches();
  const running = sumRunning(batches);
  if (running.batches === 0) return null;
  return (
    <Link className={classes.running} to="/batches" search={{ status: [...underWayStatuses] }}>
      {running.total === 0 ? (
        "Checking"
      ) : (
        <>
          <b>{formatNumber(running.ended)}</b> of {formatNumber(running.total)} lines
        </>
      )}
    </Link>
  );
}
