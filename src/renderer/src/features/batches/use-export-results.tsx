import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import type { ExportRequest } from "#contract";
import { deliverExport, describeError, useRpc } from "../../bridge/index.ts";
import { formatCount } from "../../components/index.ts";

type ResultsRequest = Omit<Extract<ExportRequest, { what: "results" }>, "what" | "batchId">;

export interface ExportResults {
  /** Writes the results of a batch: as on the wire and all of them unless told. */
  readonly exportResults: (request: ResultsRequest & { readonly id: string }) => void;
  readonly isPending: boolean;
  /** Stops the writing; there is no file then. */
  readonly cancel: () => void;
}

/** Writes results of a batch to a file of the user's choice, and says where it is. */
export function useExportResults(onDone?: () => void): ExportResults {
  const rpc = useRpc();
  const running = useRef<AbortController>(undefined);
  const { mutate, isPending } = useMutation({
    mutationFn: ({ id, ...request }: ResultsRequest & { readonly id: string }) => {
      running.current = new AbortController();
      return rpc.exports.begin({ what: "results", batchId: id, ...request }, { signal: running.current.signal });
    },
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
      onDone?.();
    },
    onError: (error) => {
      if (running.current?.signal.aborted) return;
      notifications.show({
        color: "red",
        title: "The results could not be exported",
        message: describeError(error).message,
        autoClose: false,
      });
    },
  });
  return { exportResults: mutate, isPending, cancel: () => running.current?.abort() };
}
