import type { VerifyInput, VerifyResult } from "#contract";
import { checkArithmetic } from "./arithmetic/check-arithmetic.ts";
import { composeClaims } from "./compose-claims.ts";
import { composeInput } from "./compose-input.ts";
import { composeResult, explain } from "./compose-result.ts";
import { checkInstructions } from "./instructions/check-instructions.ts";
import { checkLookup } from "./lookup/check-lookup.ts";
import { clearMemoized } from "./memoize.ts";
import { readInput } from "./read-input.ts";

/** Readings of texts that are larger than this together are not cached for the next response. In characters. */
const mostCached = 500_000;

/**
 * Judges a response by rules alone: the same texts always come to the same result, with no network and no model. The
 * work is bounded: of a very long response only the first part is checked, and the explanation says so. It is done in
 * slices, so that several calls can share a thread: each step yields how many characters it has read.
 */
export function* judgeInSlices(original: VerifyInput): Generator<number, VerifyResult> {
  const { input, restore } = composeInput(original);
  const reading = readInput(input);
  const size = input.prompt.length + input.response.length + (input.document?.length ?? 0);
  yield size;
  const sums = checkArithmetic(reading);
  yield reading.response.text.length;
  const { findings: found, nearest } = yield* checkLookup(reading, sums);
  const findings = [...sums, ...found, ...(input.form === false ? [] : checkInstructions(reading))];
  const claims = composeClaims(reading.response, findings, nearest);
  if (size > mostCached) clearMemoized();
  const about = { isEmpty: input.response.trim() === "", wasCut: reading.wasCut };
  return restore(composeResult(input, claims, explain(claims, about)));
}

/** The same in one go. */
export function judgeByRules(input: VerifyInput): VerifyResult {
  const slices = judgeInSlices(input);
  let slice = slices.next();
  while (!slice.done) slice = slices.next();
  return slice.value;
}
