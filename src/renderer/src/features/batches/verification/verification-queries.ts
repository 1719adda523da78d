import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { VerificationRun } from "#contract";
import { type Api, useApi } from "../../../bridge/index.ts";

/** How far the verification of a batch is. Kept up to date by `watchVerifications`. */
export function verificationOptions(api: Pick<Api, "verifications">, batchId: string) {
  return api.verifications.get.queryOptions({ input: { batchId }, staleTime: 60_000 });
}

/** How far the verification of a batch is: null when it has never been verified, undefined while that is not known. */
export function useVerification(batchId: string): VerificationRun | null | undefined {
  return useQuery(verificationOptions(useApi(), batchId)).data;
}

/** Writes the answer of a call where the stream writes its events, so that the page shows it at once. */
function useStoreRun() {
  const api = useApi();
  const queryClient = useQueryClient();
  return (run: VerificationRun) => queryClient.setQueryData(verificationOptions(api, run.batchId).queryKey, run);
}

export function useStartVerification(onStarted: () => void) {
  const store = useStoreRun();
  return useMutation(
    useApi().verifications.start.mutationOptions({
      onSuccess: (run) => {
        store(run);
        onStarted();
      },
    }),
  );
}

export function useResumeVerification() {
  return useMutation(useApi().verifications.resume.mutationOptions({ onSuccess: useStoreRun() }));
}

export function useCancelVerification() {
  return useMutation(useApi().verifications.cancel.mutationOptions({ onSuccess: useStoreRun() }));
}
