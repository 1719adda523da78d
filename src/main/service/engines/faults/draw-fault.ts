import type { FaultSettings } from "#contract";
import { createRandom, deriveStarts } from "../mock/random.ts";

/** What strikes one request; null is nothing. */
export type Fault =
  | { readonly type: "failure"; readonly status: number }
  | { readonly type: "rate_limit" }
  | { readonly type: "drop" }
  | { readonly type: "malformed" }
  | null;

type Rates = Pick<FaultSettings, "failure_rate" | "rate_limit_rate" | "drop_rate" | "malformed_rate" | "statuses">;

/** Draws at most one fault. The same seed and `about` draw the same. */
export function drawFault(settings: Rates, seed: number, about: string): Fault {
  const random = createRandom(deriveStarts(seed, about).answer);
  let left = random.next();
  const strikes = (rate: number): boolean => {
    if (left < rate) return true;
    left -= rate;
    return false;
  };
  if (strikes(settings.failure_rate)) return { type: "failure", status: pickStatus(settings.statuses, random.next()) };
  if (strikes(settings.rate_limit_rate)) return { type: "rate_limit" };
  if (strikes(settings.drop_rate)) return { type: "drop" };
  if (strikes(settings.malformed_rate)) return { type: "malformed" };
  return null;
}

function pickStatus(statuses: readonly number[], drawn: number): number {
  return statuses[Math.floor(drawn * statuses.length)] ?? 500;
}
