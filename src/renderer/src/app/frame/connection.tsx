import { HoverCard, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ConnectionStatus, useApi, useConnection } from "../../bridge/index.ts";
import classes from "./top-bar.module.css";

const words: Record<ConnectionStatus, string> = {
  connecting: "Connecting…",
  open: "This computer",
  reconnecting: "Reconnecting…",
  lost: "Not connected",
};

/** Where requests are answered, and whether it can be reached. */
export function Connection() {
  const { status } = useConnection();
  const api = useApi();
  const info = useQuery(api.app.info.queryOptions());
  return (
    <HoverCard width={300} position="bottom-start" openDelay={200}>
      <HoverCard.Target>
        <UnstyledButton className={classes.connection}>
          <span className={classes.dot} data-status={status} aria-hidden />
          <span role="status">{words[status]}</span>
        </UnstyledButton>
      </HoverCard.Target>
      <HoverCard.Dropdown>{info.data?.engine}</HoverCard.Dropdown>
    </HoverCard>
  );
}
