import { useInterval } from "@mantine/hooks";
import { useState } from "react";

/** The time, in Unix milliseconds, read anew every `every` milliseconds. */
export function useNow(every: number): number {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), every, { autoInvoke: true });
  return now;
}
