import { ActionIcon, Tooltip, UnstyledButton } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import { IconArrowLeft, IconArrowRight, IconSearch } from "@tabler/icons-react";
import { Link, useRouter } from "@tanstack/react-router";
import { type ConnectionStatus, useConnection } from "../../bridge/index.ts";
import { formatNumber, modKey } from "../../components/index.ts";
import { sumRunning, underWayStatuses } from "../../features/batches/index.ts";
import { useBatches } from "../../queries/batch-queries.ts";
import classes from "./top-bar.module.css";

/** Whether this is the desktop app, whose page has a scheme of its own. */
const isDesktop = location.protocol === "sheaf:";

/** Search and commands, and what is running. */
export function TopBar() {
  return (
    <header className={classes.root}>
      <div className={classes.side}>
        {isDesktop ? <Ways /> : null}
        <Connection />
      </div>
      <UnstyledButton className={classes.find} onClick={spotlight.open} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={15} stroke={1.8} aria-hidden />
        <span className={classes.findText}>Search, or run a command</span>
        <kbd className={classes.key}>{modKey} K</kbd>
      </UnstyledButton>
      <div className={`${classes.side} ${classes.right}`}>
        <RunningCount />
      </div>
    </header>
  );
}

/** Back and forward; a browser has its own. */
function Ways() {
  const { history } = useRouter();
  return (
    <div className={classes.ways}>
      <Tooltip label="Back">
        <ActionIcon size={28} aria-label="Back" onClick={() => history.back()}>
          <IconArrowLeft size={17} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Forward">
        <ActionIcon size={28} aria-label="Forward" onClick={() => history.forward()}>
          <IconArrowRight size={17} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

/** How far all running batches are together; nothing while nothing runs. */
function RunningCount() {
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

type LostStatus = Exclude<ConnectionStatus, "open">;

const words: Record<LostStatus, string> = {
  connecting: "Connecting…",
  reconnecting: "Reconnecting…",
  refused: "Needs a fresh address",
  lost: "Not connected",
};

/** That the service can't be reached, while it can't: more is in the bar below. */
function Connection() {
  const { status } = useConnection();
  if (status === "open") return null;
  return (
    <span className={classes.connection}>
      <span className={classes.dot} data-status={status} aria-hidden />
      <span className={classes.word}>{words[status]}</span>
    </span>
  );
}
