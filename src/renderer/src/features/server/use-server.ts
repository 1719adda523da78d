import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ServerView } from "#contract";
import { useApi } from "../../bridge/index.ts";

/** The server and its MCP endpoint as they are now, also after changes by other windows. */
export function useServer() {
  return useQuery(useApi().server.watch.experimental_liveOptions({ retry: 2 }));
}

/** The ways to change it. What comes back is shown at once, ahead of the stream. */
export function useServerSwitches() {
  const { server } = useApi();
  const queryClient = useQueryClient();
  const queryKey = server.watch.experimental_liveKey();
  const onSuccess = (view: ServerView) => void queryClient.setQueryData(queryKey, view);
  return {
    start: useMutation(server.start.mutationOptions({ onSuccess })),
    stop: useMutation(server.stop.mutationOptions({ onSuccess })),
    enableMcp: useMutation(server.enableMcp.mutationOptions({ onSuccess })),
    change: useMutation(server.change.mutationOptions({ onSuccess })),
    turnClock: useMutation(server.turnClock.mutationOptions({ onSuccess })),
    disableMcp: useMutation(server.disableMcp.mutationOptions({ onSuccess })),
  };
}
