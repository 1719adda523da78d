import type { VerifyInput, VerifyResult } from "#contract";
import { checkArithmetic } from "./arithmetic/check-arithmetic.ts";
import { composeClaims } from "./compose-claims.ts";
import { composeResult, explain } from "./compose-result.ts";
import { checkInstructions } from "./instructions/check-instructions.ts";
import { checkLookup } from "./lookup/check-lookup.ts";
import { clearMemoized } from "./memoize.ts";
import { readInput } from "./read-input.ts";

/** Readings of texts that are larger than this together are not cached for the next response. In characters. */
const mostCached = 500_000;

/**
 * Judges a response by rules alone: the same texts always come to the same result, with no network and no model. The
 * work is bounded: of a very long response only the first part is checked, and the explanation says so.
 */
export function judgeByRules(input: VerifyInput): VerifyResult {
  const reading = readInput(input);
  const sums = checkArithmetic(reading);
  const findings = [...sums, ...checkLookup(reading, sums), ...checkInstructions(reading)];
  const claims = composeClaims(reading.response, findings);
  if (input.prompt.length + input.response.length + (input.document?.length ?? 0) > mostCached) clearMemoized();
  const about = { isEmpty: input.response.trim() === "", wasCut: reading.wasCut };
  return composeResult(input, claims, explain(claims, about));
}
