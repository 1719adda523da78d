import { type BatchView, batchStatusTable, type LineState, type ResultSummary } from "#contract";
import {
  formatClock,
  formatCount,
  formatDuration,
  formatNumber,
  formatRate,
  formatTimeLeft,
} from "../../../components/index.ts";
import {
  countEnded,
  describeAwaited,
  describeStatus,
  isUnderWay,
  lookOfBatch,
  type UnansweredLeft,
} from "../describe-batch.ts";

type About = Pick<BatchView, "status" | "counts" | "remote" | "rate" | "timeLeft" | "times">;

/** The text under the bar on the left: the count in bold, then the total and what is known of the rest. */
export function describeCounts({ status, counts, remote }: About): { readonly count: string; readonly rest: string } {
  const ended = countEnded({ counts });
  if (counts.total === 0) return { count: "", rest: status === "validating" ? "Counting lines" : "No line ran" };
  if (ended === counts.total) return { count: formatNumber(ended), rest: counts.total === 1 ? "line" : "lines" };
  const rest = `of ${formatCount(counts.total, "line")}`;
  const unrun = counts.total - ended - counts.awaited;
  const parts = [rest, describeAwaited(counts), unrun > 0 ? `${formatNumber(unrun)} did not run` : null];
  return {
    count: formatNumber(ended),
    rest: isUnderWay(status)
      ? `${rest}${remote === null ? "" : " here"}`
      : parts.filter((part) => part !== null).join(", "),
  };
}

/** The text under the bar on the right: rate and time left while it runs, rate and time taken afterwards. */
export function describePace({ status, rate, timeLeft, times }: About): string {
  const parts: string[] = [];
  if (rate !== null) parts.push(`${formatRate(rate)} lines/s`);
  if (isUnderWay(status)) {
    if (timeLeft !== null) parts.push(`${formatTimeLeft(timeLeft)} left`);
  } else {
    const end = times.finalizing ?? times.cancelling ?? times.expired ?? times.completed;
    if (times.inProgress !== null && end !== null) parts.push(`ran for ${formatDuration(end - times.inProgress)}`);
  }
  return parts.join("  ·  ");
}

/** For screen readers: changes at each new status and, while it runs, at each quarter, not with every line. */
export function announceProgress(batch: Pick<BatchView, "status" | "counts">, share: number | null): string {
  const { word } = lookOfBatch(batch);
  if (!isUnderWay(batch.status)) return describeStatus(word, batch.counts);
  const quarter = share === null ? 0 : Math.floor(share * 4) * 25;
  return quarter === 0 || quarter === 100 ? word : `${word}, ${quarter}%`;
}

/** What is left of all lines of a batch with its retries: how many still failed, and the same in words unless more may come. */
export function describeMerged(
  { states }: Pick<ResultSummary, "states">,
  retries: number,
): {
  readonly left: UnansweredLeft;
  readonly outcome: string | undefined;
} {
  const count = (state: LineState) => states.find(({ value }) => value === state)?.count ?? 0;
  const [failed, neverRan, damaged] = [count("failed"), count("skipped"), count("damaged")];
  const awaited = count("awaited");
  const parts = [
    failed > 0 ? `${formatNumber(failed)} still failed` : null,
    neverRan > 0 ? `${formatNumber(neverRan)} still did not run` : null,
    damaged > 0 ? `${formatNumber(damaged)} damaged on disk` : null,
    describeAwaited({ awaited }),
  ].filter((part) => part !== null);
  const left = { failed, damaged, neverRan, awaited, mayBePaid: awaited };
  if (parts.length > 0) return { left, outcome: parts.join(", ") };
  const after = formatCount(retries, "retry", "retries");
  return { left, outcome: count("waiting") > 0 ? undefined : `all answered after ${after}` };
}

/** One station of a batch's life. `ended` is one that did not come to its natural end; `ahead` is expected, not certain. */
export interface Step {
  readonly word: string;
  readonly state: "past" | "ended" | "now" | "ahead" | "failed" | "stopped";
  /** When, and for how long: `12:04:01, 0.2 s`. Empty for what is ahead. */
  readonly detail: string;
  /** Unix milliseconds; null for what is ahead. */
  readonly at: number | null;
}

const words = {
  checking: batchStatusTable.validating.word,
  running: batchStatusTable.in_progress.word,
  wrappingUp: batchStatusTable.finalizing.word,
  done: batchStatusTable.completed.word,
  failed: batchStatusTable.failed.word,
  expired: batchStatusTable.expired.word,
  cancelling: batchStatusTable.cancelling.word,
  cancelled: batchStatusTable.cancelled.word,
};

/** The stations a batch has passed, the one it is at, and those ahead of it (decisions.md, Batch states). */
export function describeSteps({ status, times }: Pick<BatchView, "status" | "times">): Step[] {
  const { created, inProgress, finalizing, completed, failed, expired, cancelling, cancelled } = times;
  const checked = inProgress ?? failed ?? cancelling ?? expired;
  const checking = station(words.checking, created, checked, inProgress === null ? "ended" : "past");
  const ran = finalizing ?? cancelling ?? expired;
  const running =
    inProgress === null ? [] : [station(words.running, inProgress, ran, finalizing === null ? "ended" : "past")];

  switch (status) {
    case "validating":
      return [checking, ahead(words.running), ahead(words.wrappingUp), ahead(words.done)];
    case "in_progress":
      return [checking, ...running, ahead(words.wrappingUp), ahead(words.done)];
    case "finalizing":
    case "completed":
      return [
        checking,
        ...running,
        station(words.wrappingUp, finalizing, completed),
        completed === null ? ahead(words.done) : end(words.done, "past", completed),
      ];
    case "failed":
      return [checking, end(words.failed, "failed", failed)];
    case "expired":
      return [checking, ...running, end(words.expired, "stopped", expired)];
    case "cancelling":
      return [checking, ...running, station(words.cancelling, cancelling, null), ahead(words.cancelled)];
    case "cancelled":
      return [
        checking,
        ...running,
        station(words.cancelling, cancelling, cancelled, "ended"),
        end(words.cancelled, "stopped", cancelled),
      ];
  }
}

function station(word: string, from: number | null, to: number | null, after: "past" | "ended" = "past"): Step {
  if (from === null) return ahead(word);
  return to === null
    ? { word, state: "now", detail: `since ${formatClock(from)}`, at: from }
    : { word, state: after, detail: `${formatClock(from)}, ${formatDuration(to - from)}`, at: from };
}

function end(word: string, state: Step["state"], at: number | null): Step {
  return { word, state, detail: at === null ? "" : formatClock(at), at };
}

function ahead(word: string): Step {
  return { word, state: "ahead", detail: "", at: null };
}
