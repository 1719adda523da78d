import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../bridge/index.ts";
import { useDefaultConnection } from "../../state/default-connection.ts";

/** The connections there are; read afresh when the page is opened, because commands change them, too. */
export function useConnections() {
  return useQuery(useApi().connections.list.queryOptions({ staleTime: 0 }));
}

/** What is known of services by name. */
export function usePresets() {
  return useQuery(useApi().connections.presets.queryOptions({ staleTime: Number.POSITIVE_INFINITY }));
}

/** The ways to change connections. All that was read of them is read again afterwards. */
export function useConnectionChanges() {
  const api = useApi();
  const queryClient = useQueryClient();
  const onSuccess = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: api.connections.list.key() }),
      queryClient.invalidateQueries({ queryKey: api.connections.models.key() }),
      queryClient.invalidateQueries({ queryKey: api.connections.mcpStatus.key() }),
      // Batches show their names, and lines and estimates their prices.
      queryClient.invalidateQueries({ queryKey: api.batches.key() }),
      queryClient.invalidateQueries({ queryKey: api.results.key() }),
      queryClient.invalidateQueries({ queryKey: api.build.cost.key() }),
    ]);
  return {
    // What was typed as a key stays no longer than the call.
    save: useMutation(api.connections.save.mutationOptions({ gcTime: 0, onSuccess })),
    remove: useMutation(
      api.connections.remove.mutationOptions({
        onSuccess(_, { id }) {
          const { connectionId, choose } = useDefaultConnection.getState();
          if (connectionId === id) choose(null);
          return onSuccess();
        },
      }),
    ),
  };
}
