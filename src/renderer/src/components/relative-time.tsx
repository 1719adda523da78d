import { Tooltip } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { useState } from "react";
import { useConnection } from "../bridge/index.ts";
import { formatExactTime, formatRelativeTime } from "./format.ts";

/** When something was, seen from now; exactly in the tooltip. */
export function RelativeTime({ time }: { readonly time: number }) {
  const now = useNow(20_000);
  return (
    <Tooltip label={formatExactTime(time)}>
      <time dateTime={new Date(time).toISOString()}>{formatRelativeTime(time, Math.max(now, time))}</time>
    </Tooltip>
  );
}

/** The time, in Unix milliseconds, read anew every `every` milliseconds. It stands still while the page's host is gone. */
export function useNow(every: number): number {
  const [now, setNow] = useState(Date.now);
  const isLost = useConnection().status !== "open";
  useInterval(
    () => {
      if (!isLost) setNow(Date.now());
    },
    every,
    { autoInvoke: true },
  );
  return now;
}
