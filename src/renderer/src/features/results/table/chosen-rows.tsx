import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconRefresh } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { ResultSort } from "#contract";
import { useRpc } from "../../../bridge/index.ts";
import { formatCount, showFailure } from "../../../components/index.ts";
import { useResults } from "../results-context.tsx";
import { describeCopied, readRowsToCopy } from "./copy-rows.ts";
import type { ResultColumn } from "./result-columns.tsx";

/** Copies rows, fetched for that with their texts whole, and reports how many were copied. */
export function useCopyRows(sort: ResultSort | null, columns: readonly ResultColumn[]) {
  const { batchId, filter, merged } = useResults();
  const rpc = useRpc();
  return async (first: number, last: number) => {
    try {
      const wanted = { batchId, filter, sort, merged, first, last };
      const { text, count } = await readRowsToCopy(rpc, wanted, columns);
      await navigator.clipboard.writeText(text);
      notifications.show({ message: describeCopied(count, last - first + 1) });
    } catch (error) {
      showFailure("The rows could not be copied", error);
    }
  };
}

export interface RetryChosenProps {
  /** Rows from 0, both included, of these lines in this order. */
  readonly selection: { readonly first: number; readonly last: number };
  readonly sort: ResultSort | null;
  readonly onRetry: (lines: readonly number[]) => void;
}

/** Rows that are fetched at a time. */
const step = 500;

/** Asks the lines of the chosen rows again; those that are out of view are fetched for that. */
export function RetryChosen({ selection, sort, onRetry }: RetryChosenProps) {
  const { batchId, filter, merged } = useResults();
  const rpc = useRpc();
  const { mutate, isPending } = useMutation({
    async mutationFn({ first, last }: RetryChosenProps["selection"]) {
      const lines: number[] = [];
      for (let offset = first; offset <= last; offset += step) {
        const limit = Math.min(step, last - offset + 1);
        const choice = { filter, ...(sort && { sort }), ...(merged && { merged }) };
        const { rows } = await rpc.results.page({ batchId, offset, limit, ...choice });
        lines.push(...rows.map(({ line }) => line));
      }
      return lines;
    },
    onSuccess: onRetry,
    onError: (error) => showFailure("The lines could not be read", error),
  });
  return (
    <Button
      size="xs"
      flex="none"
      leftSection={<IconRefresh size={14} />}
      loading={isPending}
      onClick={() => mutate(selection)}
    >
      Ask {formatCount(selection.last - selection.first + 1, "line")} again…
    </Button>
  );
}
