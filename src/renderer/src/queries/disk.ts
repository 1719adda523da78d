import { useQuery } from "@tanstack/react-query";
import { useApi } from "../bridge/index.ts";

/** What the disk fails with, in a sentence or two; null while it works. */
export function useDiskFailure(): string | null {
  const { data } = useQuery(useApi().app.watchDisk.experimental_liveOptions({ retry: 2 }));
  return data?.failure ?? null;
}
