import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { ExportOutcome, ExportProgress, ExportRequest } from "#contract";
import { useRpc } from "../../../bridge/index.ts";
import { reportExport, showFailure } from "../../../components/index.ts";

type ResultsRequest = Omit<Extract<ExportRequest, { what: "results" }>, "what" | "batchId">;
type BatchRequest = ResultsRequest & { readonly id: string };

export interface ExportResults {
  /** Writes the results of batches, a file for each, one after the other. */
  readonly exportResults: (requests: readonly BatchRequest[]) => void;
  readonly isPending: boolean;
  /** What is being written; null while nothing is. */
  readonly running: ResultsRequest | null;
  /** Null before the first row. */
  readonly progress: ExportProgress | null;
  /** Stops the writing; there is no file then. */
  readonly cancel: () => void;
}

/** Writes results of a batch to a file of the user's choice, and shows where it is. */
export function useExportResults(onDone?: () => void): ExportResults {
  const rpc = useRpc();
  const stopper = useRef<AbortController>(undefined);
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (requests: readonly BatchRequest[]): Promise<void> => {
      const controller = new AbortController();
      stopper.current = controller;
      for (const request of requests) {
        const outcome = await exportOne(request, controller);
        reportExport(outcome, rpc);
        if (outcome.how === "cancelled") return;
      }
    },
    onSuccess: () => onDone?.(),
    onError: (error) => {
      if (stopper.current?.signal.aborted) return;
      showFailure("The results could not be exported", error);
    },
    onSettled: () => setProgress(null),
  });

  async function exportOne({ id, ...request }: BatchRequest, { signal }: AbortController): Promise<ExportOutcome> {
    const events = await rpc.exports.follow({ what: "results", batchId: id, ...request }, { signal });
    for await (const event of events) {
      if (event.how !== "writing") return event;
      setProgress(event);
    }
    throw new Error("The export ended without a file. Export again.");
  }

  const running = (isPending && variables?.[0]) || null;
  return { exportResults: mutate, isPending, running, progress, cancel: () => stopper.current?.abort() };
}
