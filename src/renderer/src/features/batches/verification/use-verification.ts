import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { VerificationRun } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { verificationOptions } from "./verification-queries.ts";

/** How far the verification of a batch is: null when it has never been verified, undefined while that is not known. */
export function useVerification(batchId: string): VerificationRun | null | undefined {
  return useQuery(verificationOptions(useApi(), batchId)).data;
}

/** Puts what a call answers where the stream puts its news, so that the page shows it at once. */
function useKeepRun() {
  const api = useApi();
  const queryClient = useQueryClient();
  return (run: VerificationRun) => queryClient.setQueryData(verificationOptions(api, run.batchId).queryKey, run);
}

export function useStartVerification(onStarted: () => void) {
  const keep = useKeepRun();
  return useMutation(
    useApi().verifications.start.mutationOptions({
      onSuccess: (run) => {
        keep(run);
        onStarted();
      },
    }),
  );
}

export function useResumeVerification() {
  return useMutation(useApi().verifications.resume.mutationOptions({ onSuccess: useKeepRun() }));
}

export function useCancelVerification() {
  return useMutation(useApi().verifications.cancel.mutationOptions({ onSuccess: useKeepRun() }));
}
