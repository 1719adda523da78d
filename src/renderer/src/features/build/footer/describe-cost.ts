import type { CostEstimate } from "#contract";
import { formatCost, formatCount, formatNumber } from "../../../components/index.ts";

/** What a batch may cost, in few words, and what that is made from. */
export interface CostText {
  readonly short: string;
  readonly basis: string;
}

const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** `about $3.10, at most $7.40`; `prices of 23 Sep 2026, batch −50 %`. */
export function describeCost(estimate: CostEstimate): CostText {
  if (estimate === null) {
    return { short: "no price known", basis: "Prices can be typed for the connection in Settings." };
  }
  const { prompts, about, most, lines, unknown, isCeiling, factor, pricesDate } = estimate;
  const amounts = [
    about === null ? null : `about ${formatCost(about)}`,
    most === null ? null : `at most ${formatCost(most)}`,
  ].filter((amount) => amount !== null);
  const known = amounts.length > 0 ? amounts.join(", ") : `${formatCost(prompts)} for the prompts`;
  const requests = formatCount(Math.round(lines + unknown), "request");
  const short =
    unknown === 0
      ? known
      : `at least ${formatCost(about ?? prompts)}; no price for ${formatNumber(Math.round(unknown))} of ${requests}`;
  const prices = pricesDate === null ? "your prices" : `prices of ${day.format(new Date(pricesDate))}`;
  const change = factor === null ? 0 : Math.round((factor - 1) * 100);
  const batch = change === 0 ? "" : `, batch ${change < 0 ? "−" : "+"}${Math.abs(change)} %`;
  const missing = [
    isCeiling ? "The service’s batch discount is uncertain: this cost is without it." : null,
    amounts.length > 0 ? null : "The answers come on top.",
    about === null ? "Try some rows for a closer figure." : null,
    most === null ? "There is no ceiling: the answers have no most tokens." : null,
  ].filter((sentence) => sentence !== null);
  return { short, basis: [`${prices}${batch}.`, ...missing].join(" ") };
}
