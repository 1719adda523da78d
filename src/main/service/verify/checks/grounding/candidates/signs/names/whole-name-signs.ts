import type { Context } from "../../../context.ts";
import type { Candidate } from "../../read-candidates.ts";
import type { Overview } from "../sentence-signs.ts";
import type { Signs } from "../sign-names.ts";
import { describesSubject } from "./describes-subject.ts";
import { findQuestionNames } from "./find-question-names.ts";

/**
 * Whose sentence it is, with names as wholes. Where the question describes what it asks of ("the director of the film
 * that …"), what its own words point to is a step on the way, not the answer: the "described" signs are 0 elsewhere. In the
 * order of the candidates.
 */
export function readWholeNameSigns(
  context: Context,
  { sentences, best }: Overview,
  candidates: readonly Candidate[],
): readonly Signs[] {
  const { own, alike } = findQuestionNames(context, candidates);
  const { isDescribed } = describesSubject(context);
  const titles = new Set([...sentences.values()].map(({ title }) => title));
  return candidates.map(({ mentions }, index): Signs => {
    const around = mentions.flatMap(({ sentence }) => sentences.get(sentence) ?? []);
    const isAbout = (those: ReadonlySet<number>, measure: "topic" | "title"): number =>
      toSign(around.some((each) => isOther(each[measure], index, those)));
    const named: Signs = {
      ownName: toSign(own.has(index)),
      alikeName: toSign(alike.has(index)),
      alikeTopic: isAbout(alike, "topic"),
    };
    if (!isDescribed) return named;
    return {
      ...named,
      describedMentions: Math.log(mentions.length),
      describedBest: toSign(mentions.some(({ sentence }) => best.has(sentence))),
      describedTitle: toSign(titles.has(index)),
      describedAcross: toSign(new Set(around.map(({ title }) => title)).size > 1),
      describedUnderName: isAbout(own, "title"),
      describedOfName: isAbout(own, "topic"),
      describedOfNone: toSign(around.some(({ topic }) => topic === null)),
    };
  });
}

function toSign(is: boolean): number {
  return is ? 1 : 0;
}

function isOther(topic: number | null, index: number, those: ReadonlySet<number>): boolean {
  return topic !== null && topic !== index && those.has(topic);
}
