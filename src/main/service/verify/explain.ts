import type { Claim } from "#contract";
import { longestChecked } from "./read-input.ts";

const numbers = new Intl.NumberFormat("en");

/** The verdict in one or two sentences. */
export function explain(
  claims: readonly Claim[],
  about: { readonly isEmpty: boolean; readonly wasCut: boolean },
): string {
  const sentence = about.isEmpty ? "Nothing could be checked: the response is empty." : explainClaims(claims);
  if (!about.wasCut) return sentence;
  return `${sentence} Only its first ${numbers.format(longestChecked)} characters were looked at.`;
}

function explainClaims(claims: readonly Claim[]): string {
  const { form = [], content = [] } = Object.groupBy(
    claims.filter(({ verdict }) => verdict === "contradicted"),
    ({ check }) => (check === "instructions" ? "form" : "content"),
  );
  const supported = claims.filter(({ verdict }) => verdict === "supported");
  const [first, ...others] = [...content, ...form];
  if (first !== undefined) {
    const more =
      others.length === 0 ? "" : ` ${countOf(others.length, "more claim")} ${areOrIs(others.length)} contradicted.`;
    return `${first.reason}${more}`;
  }
  if (supported.length === 0) return "Nothing could be checked: no check applies to what the response says.";
  const unchecked = claims.length - supported.length;
  if (supported.every(({ check }) => check === "instructions")) {
    const rest = unchecked === 0 ? "" : "; nothing that it says could be checked";
    return `The response has the form that the prompt asks for${rest}.`;
  }
  if (unchecked === 0) {
    return supported.length === 1
      ? "The claim of the response is supported."
      : `All ${supported.length} claims are supported.`;
  }
  return `${supported.length} of ${claims.length} claims are supported and none is contradicted; ${unchecked} could not be checked.`;
}

function countOf(count: number, one: string): string {
  return `${numbers.format(count)} ${one}${count === 1 ? "" : "s"}`;
}

function areOrIs(count: number): string {
  return count === 1 ? "is" : "are";
}
