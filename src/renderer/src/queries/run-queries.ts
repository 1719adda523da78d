import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { GradeRun, VerificationRun } from "#contract";
import { type Api, useApi } from "../bridge/index.ts";

/** A run over the answers of a batch, whatever it does with them. */
export type BatchRun = Pick<
  VerificationRun | GradeRun,
  "batchId" | "state" | "total" | "done" | "rate" | "timeLeft" | "problem"
>;

/** The verification of a batch: null when there has been none. Kept up to date by `watchBatches`. */
export function verificationOptions(api: Pick<Api, "verifications">, batchId: string) {
  return api.verifications.get.queryOptions({ input: { batchId }, staleTime: 60_000 });
}

/** The grading of a batch: null when there has been none. Kept up to date by `watchBatches`. */
export function gradingOptions(api: Pick<Api, "grades">, batchId: string) {
  return api.grades.get.queryOptions({ input: { batchId }, staleTime: 60_000 });
}

/** The run of a batch, what can be done with it, and why the last attempt of that failed. */
export interface RunCommands<Of extends BatchRun> {
  /** Null when there has been none, and while that is not known. */
  readonly run: Of | null;
  /** Whether it is known that there has been one, or none. */
  readonly isKnown: boolean;
  readonly cancel: () => void;
  readonly resume: () => void;
  readonly isPending: boolean;
  readonly error: Error | null;
}

export function useVerification(batchId: string): RunCommands<VerificationRun> {
  const api = useApi();
  const { data: run } = useQuery(verificationOptions(api, batchId));
  const onSuccess = useStoreVerification();
  const cancel = useMutation(api.verifications.cancel.mutationOptions({ onSuccess }));
  const resume = useMutation(api.verifications.resume.mutationOptions({ onSuccess }));
  return toCommands(batchId, run, cancel, resume);
}

export function useGrading(batchId: string): RunCommands<GradeRun> {
  const api = useApi();
  const { data: run } = useQuery(gradingOptions(api, batchId));
  const onSuccess = useStoreGrading();
  const cancel = useMutation(api.grades.cancel.mutationOptions({ onSuccess }));
  const resume = useMutation(api.grades.resume.mutationOptions({ onSuccess }));
  return toCommands(batchId, run, cancel, resume);
}

interface RunMutation {
  readonly mutate: (input: { batchId: string }) => void;
  readonly isPending: boolean;
  readonly error: Error | null;
}

function toCommands<Of extends BatchRun>(
  batchId: string,
  run: Of | null | undefined,
  cancel: RunMutation,
  resume: RunMutation,
) {
  return {
    run: run ?? null,
    isKnown: run !== undefined,
    cancel: () => cancel.mutate({ batchId }),
    resume: () => resume.mutate({ batchId }),
    isPending: cancel.isPending || resume.isPending,
    error: cancel.error ?? resume.error,
  };
}

export function useStartVerification(onStarted: () => void) {
  const store = useStoreVerification();
  const onSuccess = (run: VerificationRun) => {
    store(run);
    onStarted();
  };
  return useMutation(useApi().verifications.start.mutationOptions({ onSuccess }));
}

export function useStartGrading(onStarted: () => void) {
  const store = useStoreGrading();
  const onSuccess = (runs: readonly GradeRun[]) => {
    runs.forEach(store);
    onStarted();
  };
  return useMutation(useApi().grades.start.mutationOptions({ onSuccess }));
}

/** Writes the answer of a call where the stream writes its events, so that the page shows it at once. */
function useStoreVerification() {
  const api = useApi();
  const queryClient = useQueryClient();
  return (run: VerificationRun) => void queryClient.setQueryData(verificationOptions(api, run.batchId).queryKey, run);
}

function useStoreGrading() {
  const api = useApi();
  const queryClient = useQueryClient();
  return (run: GradeRun) => void queryClient.setQueryData(gradingOptions(api, run.batchId).queryKey, run);
}
