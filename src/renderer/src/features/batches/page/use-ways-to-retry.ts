import { countLasting } from "#contract";
import { describeRetry, type UnansweredLines, useRetryBatches } from "../use-retry-batch.tsx";
import { useBatchPage } from "./batch-page.tsx";

interface WayToRetry {
  readonly label: string;
  /** The part of the label that a button shows. */
  readonly word: string;
  readonly isElsewhere?: boolean;
  readonly run: () => void;
}

const unanswered: readonly UnansweredLines[] = ["failed", "never_ran"];

/** The ways to ask lines of the batch again, the one that is used most first. */
export function useWaysToRetry() {
  const { batch, onOpenBatch, onAskAgain } = useBatchPage();
  const { retry, isPending, dialog } = useRetryBatches(([made]) => made && onOpenBatch(made.id));
  const toWay = (which: UnansweredLines): WayToRetry[] => {
    const label = describeRetry(batch.left, which);
    if (label === null) return [];
    return [
      {
        label,
        word: label.replace(/^(Retry [\d,]+).*?(…?)$/, "$1$2").replace(/ lines?$/, ""),
        run: () => retry([batch], which),
      },
    ];
  };
  const plain = unanswered.flatMap(toWay);
  const { cut, empty, errors } = batch.left;
  // Only the dialog offers these: with more tokens, or to another model.
  const hasOthers = cut + empty + countLasting(errors) > 0;
  const besides = hasOthers ? "Choose what to ask…" : "Ask again elsewhere…";
  const choice: WayToRetry = {
    label: plain.length === 0 ? "Ask again" : besides,
    word: "Ask again",
    isElsewhere: true,
    run: () => onAskAgain(),
  };
  const paid = toWay("may_be_paid");
  const isAny = plain.length > 0 || hasOthers || paid.length > 0;
  return { list: isAny && !batch.isReadOnly ? [...plain, choice, ...paid] : [], isPending, dialog };
}
