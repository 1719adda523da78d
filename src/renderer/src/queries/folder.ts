import { useQuery } from "@tanstack/react-query";
import type { FolderState } from "#contract";
import { useApi } from "../bridge/index.ts";

/** The data folder as a whole, and what is done with it; undefined until that is known. */
export function useFolder(): FolderState | undefined {
  return useQuery(useApi().folder.watch.experimental_liveOptions({ retry: 2 })).data;
}
