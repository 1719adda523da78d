import { isNeutralWord, type Name, type Word } from "../../text/index.ts";
import { compareBy, readPair } from "./compare-options.ts";
import type { Context } from "./context.ts";
import { findDirection } from "./directions.ts";
import type { Truth } from "./truth.ts";

/** In words, between "more" and its "than". */
const farthestThan = 5;

/** "Is Ann older than Bo?", "Was Salt published before Sand?", "Did Ann win more titles than Bo?": what the passage gives for both. */
export function compareAsked(context: Context): Truth | null {
  const { words } = context.question;
  const found = findDirection(words);
  if (found === null) return null;
  const than = findThan(words, found.at);
  const options = than === null ? null : findSides(context, found.at, than);
  if (options === null) return null;
  const decision = compareBy(context, readPair(context, options), found);
  const isTied = decision?.winner === null;
  if (!decision || (isTied && (found.direction === "earliest" || found.direction === "latest"))) return null;
  return { isYes: decision.winner === 0, reason: decision.reason, evidence: decision.evidence };
}

/** What stands between the two: "before" and "after" themselves, or the "than" of another comparison. */
function findThan(words: readonly Word[], at: number): number | null {
  if (/^(before|after)$/.test(words[at]?.norm ?? "")) return at;
  const than = words.findIndex(({ norm }, index) => index > at && index <= at + farthestThan && norm === "than");
  return than === -1 ? null : than;
}

/** The name that the question opens with, and the one that it ends with; null where either is only a part of what is compared. */
function findSides({ question }: Context, at: number, than: number): readonly [Name, Name] | null {
  const { words, all, names } = question;
  const [start, comparing, end] = [words[0], words[at], words[than]];
  if (!start || !comparing || !end) return null;
  const before = names.filter(({ from }) => (all[from]?.start ?? 0) < comparing.start && !isOwned(all[from - 1]));
  const after = names.filter(({ from }) => (all[from]?.start ?? 0) > end.start);
  const [left, right] = [before[0], after[0]];
  if (!left || !right || before.length !== 1 || after.length !== 1) return null;
  const isWhole =
    isLinked(all, start, all[left.from]) &&
    isLinked(all, end, all[right.from]) &&
    all.slice(right.to).every((word) => word.sentence !== start.sentence || isNeutralWord(word.norm));
  return isWhole ? [left, right] : null;
}

/** "Did Ann get her Nobel before Bo?": what somebody has is none of those that are compared. */
function isOwned(before: Word | undefined): boolean {
  return /^(?:his|her|its|their)$/.test(before?.norm ?? "");
}

/** Whether nothing but articles and the like stands between two words. */
function isLinked(all: readonly Word[], first: Word, last: Word | undefined): boolean {
  return all.every(({ start, isFunction }) => start <= first.start || start >= (last?.start ?? 0) || isFunction);
}
