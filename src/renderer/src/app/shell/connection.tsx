import { Popover, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ConnectionStatus, useApi, useConnection } from "../../bridge/index.ts";
import classes from "./connection.module.css";
import { isDesktop } from "./keyboard.ts";

const words: Record<ConnectionStatus, string> = {
  connecting: "Connecting…",
  open: "This computer",
  reconnecting: "Reconnecting…",
  refused: "Needs a fresh address",
  lost: "Not connected",
};

const meanings: Record<Exclude<ConnectionStatus, "open">, string> = {
  connecting: "Waiting for the service to answer.",
  reconnecting: isDesktop
    ? "The service went away. What you see may be out of date until it is back."
    : "The service went away. What you see may be out of date until it is back. If Sheaf was started again, open the address that it prints, and this page goes on too.",
  refused:
    "Sheaf was started again and does not know this page any more. Open the address that it printed in this browser: then this page goes on, too. Pressing Enter in its terminal prints another one.",
  lost: isDesktop
    ? "The service does not answer. Start Sheaf again: drafts and batches are kept."
    : "The service does not answer. Start Sheaf again, and open the address that it prints.",
};

/** Where requests are answered, and whether it can be reached. */
export function Connection() {
  const { status } = useConnection();
  const api = useApi();
  const info = useQuery(api.app.info.queryOptions());
  return (
    <>
      <Popover width={320} position="bottom-start" withRoles trapFocus>
        <Popover.Target>
          <UnstyledButton className={classes.button}>
            <span className={classes.dot} data-status={status} aria-hidden />
            <span className={classes.word}>{words[status]}</span>
            <IconChevronDown size={14} className={classes.arrow} aria-hidden />
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown aria-label="Connection">
          <div className={classes.title} tabIndex={-1} data-autofocus>
            {words[status]}
          </div>
          <p className={classes.text}>{status === "open" ? info.data?.engine : meanings[status]}</p>
          {status === "open" ? <p className={classes.text}>Everything stays on this computer.</p> : null}
          {info.data ? <p className={classes.version}>Sheaf {info.data.version}</p> : null}
        </Popover.Dropdown>
      </Popover>
      <VisuallyHidden role="status">{status === "open" ? "" : words[status]}</VisuallyHidden>
    </>
  );
}
