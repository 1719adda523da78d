import { Tooltip } from "@mantine/core";
import { formatExactTime, formatRelativeTime } from "./format.ts";
import { useNow } from "./use-now.ts";

/** When something was, seen from now; exactly in the tooltip. */
export function RelativeTime({ time }: { readonly time: number }) {
  const now = useNow(20_000);
  return (
    <Tooltip label={formatExactTime(time)}>
      <time dateTime={new Date(time).toISOString()}>{formatRelativeTime(time, Math.max(now, time))}</time>
    </Tooltip>
  );
}
