import { useMutation } from "@tanstack/react-query";
import type { ComparisonFilter } from "#contract";
import { useRpc } from "../../bridge/index.ts";
import { reportExport, showFailure } from "../../components/index.ts";

interface WantedExport {
  readonly ids: string[];
  readonly by: string | undefined;
  readonly filter: ComparisonFilter;
  readonly format: "csv" | "xlsx";
}

/** Writes the lines that are shown to a file of the user's choice, and reports where it is. */
export function useExportComparison() {
  const rpc = useRpc();
  const { mutate, isPending } = useMutation({
    mutationFn: (request: WantedExport) => rpc.exports.begin({ what: "comparison", ...request }),
    onSuccess: (outcome) => reportExport(outcome, rpc),
    onError: (error) => showFailure("The comparison could not be exported", error),
  });
  return { begin: mutate, isPending };
}
