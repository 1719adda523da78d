import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type BatchDetail, type BatchView, countLasting, type RetryChoice } from "#contract";
import { describeError, useApi, useRpc } from "../../bridge/index.ts";
import { formatCount, showFailure, useConfirmPaid } from "../../components/index.ts";
import { batchListOptions, invalidateLeft } from "../../queries/batch-queries.ts";
import { mergeIntoList } from "../../queries/watch.ts";

/** The lines without an answer. They are sent again unchanged. */
export type UnansweredLines = Extract<RetryChoice, "failed" | "never_ran" | "may_be_paid">;

export interface RetryBatches {
  readonly retry: (batches: readonly BatchView[], which: UnansweredLines) => void;
  readonly isPending: boolean;
  /** The question about lines that may be paid. To be rendered by the page. */
  readonly dialog: ReactNode;
}

/** Asks lines of batches again, each in a batch of its own that belongs to it. `onRetried` gets the new ones. */
export function useRetryBatches(onRetried: (retries: readonly BatchView[]) => void): RetryBatches {
  const rpc = useRpc();
  const store = useStoreRetries();
  const confirm = useConfirmPaid();
  const { mutate, isPending } = useMutation({
    async mutationFn({ batches, which }: { readonly batches: readonly BatchView[]; readonly which: UnansweredLines }) {
      const settled = await Promise.allSettled(
        batches.map(({ id }) => confirm.ask((evenIfPaid) => rpc.batches.retry({ id, which: [which], evenIfPaid }))),
      );
      return {
        retries: settled.flatMap((one) => (one.status === "fulfilled" && one.value !== null ? [one.value] : [])),
        failures: settled.flatMap((one, at) =>
          one.status === "rejected" ? [{ name: batches[at]?.name ?? "", error: one.reason as unknown }] : [],
        ),
      };
    },
    onSuccess({ retries, failures }) {
      store(retries);
      const [first, ...others] = failures;
      if (first !== undefined && others.length === 0) {
        showFailure(`“${first.name}” could not be retried`, first.error);
      } else if (first !== undefined) {
        const reasons = failures.map(({ name, error }) => `“${name}”: ${describeError(error).message}`);
        showFailure(`${failures.length} batches could not be retried`, listSome(reasons));
      }
      if (retries.length > 0) onRetried(retries);
    },
  });
  return { retry: (batches, which) => mutate({ batches, which }), isPending, dialog: confirm.dialog };
}

/** Puts new retries where the stream of changes would, so that they are shown at once, and shows which lines they leave out. */
export function useStoreRetries() {
  const api = useApi();
  const queryClient = useQueryClient();
  return (retries: readonly BatchView[]) => {
    queryClient.setQueryData(batchListOptions(api).queryKey, (list) => list && retries.reduce(mergeIntoList, list));
    invalidateLeft(queryClient, api);
    const [first, ...others] = retries.filter(({ notice }) => notice !== null);
    if (first === undefined) return;
    const notices = [first, ...others].map(({ name, notice }) => `“${name}”: ${notice}`);
    const message = others.length === 0 ? first.notice : listSome(notices);
    notifications.show({ id: `notice ${first.id}`, message, autoClose: false });
  };
}

/** So many batches are named in one message. */
const mostNamed = 5;

function listSome(sentences: readonly string[]): string {
  const more = sentences.length - mostNamed;
  return [
    ...sentences.slice(0, mostNamed),
    ...(more > 0 ? [`And ${formatCount(more, "more batch", "more batches")}.`] : []),
  ].join(" ");
}

/** What can be asked again of so many lines; null where there is nothing of the kind. */
export function describeRetry(
  left: Pick<BatchDetail["left"], "failed" | "errors" | "damaged" | "neverRan" | "mayBePaid">,
  which: UnansweredLines,
): string | null {
  const { neverRan, mayBePaid } = left;
  if (which === "may_be_paid") return mayBePaid === 0 ? null : `Retry ${describePaid(mayBePaid)}…`;
  if (which === "never_ran") return neverRan === 0 ? null : `Run ${formatCount(neverRan, "remaining line")}`;
  const lines = withoutLasting(left);
  return lines.failed + lines.damaged === 0 ? null : `Retry ${describeFailedLines(lines)}`;
}

/** The failed lines that a retry may help: the others would fail again in the same way. */
export function withoutLasting({
  failed,
  errors,
  damaged,
}: Pick<BatchDetail["left"], "failed" | "errors" | "damaged">) {
  return { failed: Math.max(0, failed - countLasting(errors)), damaged };
}

/** Lines that are asked again only with a confirmation. */
export const describePaid = (count: number): string => `${formatCount(count, "line")} that may be paid`;

/** `3 failed lines`, `2 damaged lines`, or both as one number. */
export function describeFailedLines({ failed, damaged }: Pick<BatchDetail["left"], "failed" | "damaged">): string {
  const kind = damaged === 0 ? "failed" : failed === 0 ? "damaged" : "failed or damaged";
  return formatCount(failed + damaged, `${kind} line`);
}
