import { remember } from "../../../../remember.ts";
import type { Word } from "../../../../text/index.ts";
import type { Context } from "../../context.ts";
import type { Question } from "../../question.ts";
import type { Candidate, Mention } from "../read-candidates.ts";
import { readWanted } from "../read-wanted.ts";
import type { Signs } from "./sign-names.ts";

const parts = /^(role|roles|character|characters|part)$/;
const playing = /^(play|plays|played|portray|portrays|portrayed|voice|voices|voiced|starred|stars|seen)$/;
const callings =
  /^(name|names|named|called|nickname|nicknamed|known|dubbed|short|alias|pseudonym|renamed|title|moniker|stands)$/;
const takes = /^(as|plays|played|portrays|portrayed|portraying|playing|created|voices|voiced)$/;
/** In words: "as the young killer Schrott". */
const farthestTake = 3;
const farthestPlaying = 12;
const farthestNoun = 8;

/** Of a question about actors and their parts, or about another name: whether the passage puts the candidate so. */
export function readPartSigns(
  { question, evidence: { words, source } }: Context,
  { kind, mentions }: Candidate,
): Signs {
  const { of: asked } = readAskedPart(question);
  const signs: Signs = {};
  if (kind !== "name" || asked === null) return signs;
  for (const mention of mentions) {
    if (asked === "alias") {
      if (isAlias(source.text.text, words, mention)) signs.aliasBeside = 1;
      continue;
    }
    const isPart = isNamedPart(words, mention);
    const isActor = isNamedActor(source.text.text, words, mention);
    if (asked === "part" && isPart) signs.partNamed = 1;
    if (asked === "actor" && isPart && !isActor) signs.actorAsPart = 1;
  }
  return signs;
}

/** "Which character", "played who", "who did she play": a part. "Who played": an actor. "What is it short for": another name. */
const readAskedPart = remember((question: Question): { readonly of: "part" | "actor" | "alias" | null } => {
  const { words } = question;
  const { at, head, kind } = readWanted(question);
  const has = (pattern: RegExp, within: readonly Word[] = words): boolean =>
    within.some(({ norm }) => pattern.test(norm));
  const isWho = /^(who|whom)$/.test(words[at]?.norm ?? "");
  const follows = isWho && /^(play|plays|played|portrays|portrayed)$/.test(words[at - 1]?.norm ?? "");
  const opens = isWho && /^(did|does)$/.test(words[at + 1]?.norm ?? "") && has(/^(play|portray|voice)$/);
  if (parts.test(head?.norm ?? "") || follows || opens) return { of: "part" };
  if (kind === "person") return { of: has(playing) || has(parts) ? "actor" : null };
  // "What was the role", "what is the name of the character": the noun stands a few words after.
  if (has(parts, words.slice(at + 1, at + 1 + farthestNoun))) return { of: "part" };
  return { of: kind === "other" && has(callings, words.slice(at + 1)) ? "alias" : null };
});

/** "as the killer Schrott", "the role of Brünnhilde", "played Jim in X and Alan in Y" */
function isNamedPart(words: readonly Word[], { from, to, sentence }: Mention): boolean {
  const isHere = (word: Word | undefined): word is Word => word?.sentence === sentence;
  const describes = (word: Word | undefined): boolean =>
    isHere(word) && !word.isCapital && !takes.test(word.norm) && (word.norm === "the" || !word.isFunction);
  let at = from - 1;
  while (at >= from - farthestTake && describes(words[at])) at -= 1;
  const [before, earlier, after] = [words[at], words[at - 1], words[to]];
  if (!isHere(before)) return false;
  if (takes.test(before.norm) || parts.test(before.norm)) return true;
  if (before.norm === "of") return /^(role|roles|character|characters|part|portrayal)$/.test(earlier?.norm ?? "");
  if (before.norm !== "and" || !/^(in|on)$/.test(after?.norm ?? "")) return false;
  return words.slice(Math.max(0, at - farthestPlaying), at).some((word) => isHere(word) && takes.test(word.norm));
}

/** "played by Max Gail", "starring …", "Charles Durning plays …" */
function isNamedActor(text: string, words: readonly Word[], { from, to, sentence }: Mention): boolean {
  const [before, earlier, after] = [words[from - 1], words[from - 2], words[to]];
  const isBy = before?.norm === "by" && playing.test(earlier?.norm ?? "");
  if (before?.sentence === sentence && (isBy || before.norm === "starring")) return true;
  if (after?.sentence !== sentence || text.slice(words[to - 1]?.end, after.start) !== " ") return false;
  return /^(as|plays|played|portrays|voices|voiced)$/.test(after.norm);
}

/** "known as Kabbarli", "(“Final Five”)" */
function isAlias(text: string, words: readonly Word[], { from, sentence }: Mention): boolean {
  const [before, earlier] = [words[from - 1], words[from - 2]];
  if (before?.sentence !== sentence) return false;
  if (callings.test(before.norm) || (before.norm === "as" && callings.test(earlier?.norm ?? ""))) return true;
  return /\(["“]/.test(text.slice(before.end, words[from]?.start));
}
