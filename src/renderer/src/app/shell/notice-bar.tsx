import { CloseButton } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../bridge/index.ts";
import classes from "./bar.module.css";

/** What was amiss with the data folder when Sheaf was started, until it is closed. */
export function NoticeBar() {
  const api = useApi();
  const { data: notices = [] } = useQuery(api.app.notices.queryOptions({ staleTime: Number.POSITIVE_INFINITY }));
  const [closed, setClosed] = useState<readonly string[]>([]);
  return notices
    .filter(({ message }) => !closed.includes(message))
    .map(({ message }) => (
      <div key={message} className={classes.bar} role="status">
        <IconAlertTriangle size={16} className={classes.icon} aria-hidden />
        <span className={classes.text}>{message}</span>
        <CloseButton size="sm" aria-label="Close this notice" onClick={() => setClosed([...closed, message])} />
      </div>
    ));
}
