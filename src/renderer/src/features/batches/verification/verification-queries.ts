import type { Api } from "../../../bridge/index.ts";

/** How far the verification of a batch is. Kept up to date by `watchVerifications`. */
export function verificationOptions(api: Pick<Api, "verifications">, batchId: string) {
  return api.verifications.get.queryOptions({ input: { batchId }, staleTime: 60_000 });
}
