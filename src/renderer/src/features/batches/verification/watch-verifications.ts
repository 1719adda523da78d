import type { QueryClient } from "@tanstack/react-query";
import type { Api, Rpc } from "../../../bridge/index.ts";
import { follow } from "../follow.ts";
import { verificationOptions } from "./verification-queries.ts";

/** What this needs of the bridge. */
export interface VerificationsBridge {
  readonly rpc: Pick<Rpc, "verifications">;
  readonly api: Pick<Api, "verifications">;
}

/** Follows the verification of every batch and writes it into the cache, until the signal is aborted. */
export function watchVerifications(
  { rpc, api }: VerificationsBridge,
  queryClient: QueryClient,
  signal: AbortSignal,
): Promise<void> {
  return follow(
    {
      open: () => rpc.verifications.watch(undefined, { signal }),
      onOpen: () => queryClient.invalidateQueries({ queryKey: api.verifications.get.key() }),
      onEvent: (run) => queryClient.setQueryData(verificationOptions(api, run.batchId).queryKey, run),
    },
    signal,
  );
}
