import { VisuallyHidden } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { type BatchView, finalStatuses } from "#contract";
import { formatCount } from "../../components/index.ts";
import { describeOutcome } from "./batch-lists.tsx";
import type { Attention } from "./find-attention.ts";

/** What Home shows: a change of it is news. */
interface HomeState {
  readonly batches: readonly BatchView[];
  readonly attention: readonly Attention[];
}

/** Announces to screen readers what has changed on Home: one sentence for each thing that happened, none for progress. */
export function HomeNews({ batches, attention }: HomeState) {
  const before = useRef<HomeState>(null);
  const [news, setNews] = useState("");
  useEffect(() => {
    const told = before.current === null ? "" : describeNews(before.current, { batches, attention });
    before.current = { batches, attention };
    if (told !== "") setNews(told);
  }, [batches, attention]);
  return <VisuallyHidden role="status">{news}</VisuallyHidden>;
}

/** What is new: batches that have ended, and what needs the user besides. */
export function describeNews(before: HomeState, after: HomeState): string {
  const running = new Set(before.batches.filter(isRunning).map(({ id }) => id));
  const ended = after.batches.filter((batch) => running.has(batch.id) && !isRunning(batch));
  const known = new Set(before.attention.map(({ key }) => key));
  const added = after.attention.filter((one) => !known.has(one.key) && !("batch" in one && ended.includes(one.batch)));
  return [
    describeSome(
      ended,
      (batch) => `${batch.name}: ${describeOutcome(batch)}.`,
      "batch has ended",
      "batches have ended",
    ),
    describeSome(added, describeNeed, "more thing needs you", "more things need you"),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function isRunning({ status }: BatchView): boolean {
  return !finalStatuses.has(status);
}

function describeSome<One>(all: readonly One[], toSentence: (one: One) => string, one: string, many: string): string {
  const [first, second] = all;
  if (first === undefined) return "";
  return second === undefined ? toSentence(first) : `${formatCount(all.length, one, many)}.`;
}

function describeNeed(attention: Attention): string {
  switch (attention.kind) {
    case "waiting":
      return `${formatCount(attention.batches.length, "batch waits", "batches wait")}: ${attention.reason}`;
    case "no_key":
      return `${attention.connection.name} has no key.`;
    case "notice":
      return `${attention.batch.name}: ${attention.notice}`;
    case "failed_lines":
    case "never_ran":
    case "awaited":
    case "faulty_file":
    case "failed_batch":
    case "in_doubt":
      return `${attention.batch.name} needs you.`;
  }
}
