import { Tooltip } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { createContext, use, useState } from "react";
import { useConnection } from "../bridge/index.ts";
import { formatExactTime, formatRelativeTime } from "./format.ts";

/** How far the service's clock, which can be turned forward, is ahead of the machine's, in milliseconds. */
export const ClockAhead = createContext(0);

interface RelativeTimeProps {
  readonly time: number;
  /** Whether it is by the machine's clock, as the times of batches on connections are, and not by the service's. */
  readonly isReal?: boolean;
}

/** When something was, seen from now; exactly in the tooltip. */
export function RelativeTime({ time, isReal = false }: RelativeTimeProps) {
  const ahead = use(ClockAhead);
  const now = useNow(20_000) + (isReal ? 0 : ahead);
  return (
    <Tooltip label={formatExactTime(time)}>
      <time dateTime={new Date(time).toISOString()}>{formatRelativeTime(time, now)}</time>
    </Tooltip>
  );
}

/** The time, in Unix milliseconds, read every `every` milliseconds. It is frozen while the host is not connected. */
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
