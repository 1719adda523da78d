import { QueryClient } from "@tanstack/react-query";
import { ConnectionLostError, type ConnectionStore } from "./connection.ts";

/**
 * The cache of what the service has said. The service is on this machine, so being offline means nothing;
 * changes are pushed, so nothing is fetched again but when the connection was down in between.
 */
export function createQueryClient(connection: ConnectionStore): QueryClient {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: "always",
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: (failures, error) => error instanceof ConnectionLostError && failures < 2,
      },
      mutations: { networkMode: "always" },
    },
  });
  connection.subscribe((now, before) => {
    if (now.openings > before.openings && now.openings > 1) {
      void queryClient.invalidateQueries();
    }
  });
  return queryClient;
}
