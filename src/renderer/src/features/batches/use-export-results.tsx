import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import type { BatchView } from "#contract";
import { deliverExport, describeError, useApi } from "../../bridge/index.ts";
import { formatCount } from "../../components/index.ts";

export interface ExportResults {
  /** With `merged`, those of its retries are taken in. */
  readonly exportResults: (batch: Pick<BatchView, "id">, merged?: boolean) => void;
  readonly isPending: boolean;
}

/** Writes all results of a batch to a file of the user's choice, and says where it is. */
export function useExportResults(): ExportResults {
  const api = useApi();
  const { mutate, isPending } = useMutation(
    api.exports.begin.mutationOptions({
      onSuccess: (outcome) => {
        deliverExport(outcome, document);
        if (outcome.how === "saved") {
          notifications.show({
            color: "green",
            title: `${formatCount(outcome.lines, "line")} exported`,
            message: outcome.path,
            autoClose: 12_000,
          });
        } else if (outcome.how === "link") {
          notifications.show({
            color: "green",
            title: "Export started",
            message: `${outcome.fileName} goes to your downloads.`,
          });
        }
      },
      onError: (error) =>
        notifications.show({
          color: "red",
          title: "The results could not be exported",
          message: describeError(error).message,
          autoClose: 15_000,
        }),
    }),
  );
  return {
    exportResults: ({ id }, merged = false) => mutate({ what: "results", batchId: id, ...(merged && { merged }) }),
    isPending,
  };
}
