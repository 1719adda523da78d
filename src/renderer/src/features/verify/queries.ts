import { skipToken } from "@tanstack/react-query";
import type { Api } from "../../bridge/index.ts";

/** Everything that Verify reads, as options for TanStack Query. */
export function createVerifyQueries(api: Api) {
  return {
    history: () => api.verify.history.queryOptions({ staleTime: 0 }),
    /** A verification never changes. */
    verification: (id: string | null) =>
      api.verify.get.queryOptions({
        input: id === null ? skipToken : { id },
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
      }),
    models: () => api.app.models.queryOptions({ staleTime: Number.POSITIVE_INFINITY }),
    server: () => api.server.get.queryOptions({ staleTime: 0 }),
  };
}
