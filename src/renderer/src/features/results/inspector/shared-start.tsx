import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { messageText, type ResultDetail } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { formatCount, type SentColumns } from "../../../components/index.ts";
import { useBatch } from "../../../queries/batch-queries.ts";
import classes from "./line-conversation.module.css";
import { splitStart } from "./split-start.ts";

/** The messages of a line with what they share apart: the first, the middle and the last line tell what all begin with. */
export function useSplitStart(detail: ResultDetail, { batchId, merged }: Pick<SentColumns, "batchId" | "merged">) {
  const total = useBatch(batchId).data?.counts.total ?? 0;
  const compared = [...new Set([1, Math.ceil(total / 2), total])];
  const { data } = useQuery(
    useApi().results.lines.queryOptions({
      input: { batchId, lines: compared, ...(merged && { merged }) },
      enabled: total > 0,
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
  const textsOf = ({ messages }: ResultDetail) => messages.map(messageText);
  const others = (data ?? []).filter(({ line, messages }) => line !== detail.line && messages.length > 0);
  return splitStart(textsOf(detail), others.map(textsOf));
}

export interface SharedStartProps {
  readonly isStartOpen: boolean;
  readonly onStartOpen: (isOpen: boolean) => void;
}

/** What the prompts of all lines begin with, in one line that opens, and stays open for the next line. */
export function SharedStart({
  isStartOpen,
  onStartOpen,
  length,
  children,
}: SharedStartProps & { readonly length: number; readonly children: ReactNode }) {
  return (
    <details
      className={classes.start}
      open={isStartOpen}
      onToggle={({ currentTarget }) => onStartOpen(currentTarget.open)}
    >
      <summary className={classes.startName}>Shared start, {formatCount(length, "character")}</summary>
      <div className={classes.turns}>{children}</div>
    </details>
  );
}
