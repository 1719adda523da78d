import type { BatchView } from "#contract";
import { formatCount, formatDuration, formatNumber, formatRate, formatTimeLeft } from "../../../components/index.ts";
import { countEnded } from "../counts.ts";
import { isUnderWay } from "../status.ts";

type About = Pick<BatchView, "status" | "counts" | "rate" | "timeLeft" | "times">;

/** What stands under the bar on the left: the count in bold, then its whole and what is to be said of the rest. */
export function describeCounts({ status, counts }: About): { readonly count: string; readonly rest: string } {
  const ended = countEnded({ counts });
  if (counts.total === 0) return { count: "", rest: status === "validating" ? "Counting lines" : "No line ran" };
  if (ended === counts.total) return { count: formatNumber(ended), rest: counts.total === 1 ? "line" : "lines" };
  const rest = `of ${formatCount(counts.total, "line")}`;
  const unrun = counts.total - ended;
  return {
    count: formatNumber(ended),
    rest: isUnderWay(status) ? rest : `${rest}, ${formatNumber(unrun)} did not run`,
  };
}

/** What stands under the bar on the right: rate and time left while it runs, rate and time taken afterwards. */
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
export function announceProgress(status: BatchView["status"], word: string, share: number | null): string {
  if (!isUnderWay(status)) return word;
  const quarter = share === null ? 0 : Math.floor(share * 4) * 25;
  return quarter === 0 || quarter === 100 ? word : `${word}, ${quarter}%`;
}
