import type { Api } from "../../../bridge/index.ts";

/** The batches that can be restored, the last deleted first. */
export function deletedOptions(api: Pick<Api, "batches">) {
  return api.batches.deleted.queryOptions({ staleTime: 0 });
}
