import type { Context } from "../../context.ts";
import { indexSentences } from "../index-sentences.ts";
import { readAsked } from "../read-asked.ts";
import type { Candidate } from "../read-candidates.ts";
import { readBesideSigns } from "./beside-signs.ts";
import { readHeadSigns } from "./head-signs.ts";
import { readKindSigns } from "./kind-signs.ts";
import { readOverview, readSentenceSigns } from "./sentence-signs.ts";
import { type Signs, strengthenAll } from "./sign-names.ts";

/** What speaks for and against each candidate as the answer to the question. */
export function readSigns(context: Context, candidates: readonly Candidate[]): readonly Signs[] {
  const asked = readAsked(context);
  const sentences = indexSentences(context, candidates);
  const overview = readOverview(asked, sentences);
  const all = candidates.map((candidate, index): Signs => {
    const about = [...sentences.values()].filter(({ topic }) => topic === index);
    const own = new Set(candidate.forms.flatMap((form) => [...form]));
    const signs: Signs = {
      ...readKindSigns(context, asked, candidate, about),
      ...readHeadSigns(context, asked, candidate, sentences, about),
      ...readSentenceSigns(context, asked, overview, candidates, index),
      ...readFormSigns(context, candidate),
    };
    for (const mention of candidate.mentions) {
      strengthenAll(signs, readBesideSigns(context, asked, overview.rare, own, mention));
    }
    return signs;
  });
  const nearest = Math.max(0, ...all.map(({ asked: isAsked, windowNear }) => (isAsked ? 0 : (windowNear ?? 0))));
  for (const signs of all) if (nearest > 0 && (signs.windowNear ?? 0) >= nearest) signs.nearest = 1;
  return all;
}

function readFormSigns({ evidence: { words, source } }: Context, { mentions }: Candidate): Signs {
  const signs: Signs = { mentions: Math.log(mentions.length) };
  for (const { from } of mentions) {
    const [before, earlier] = [words[from - 1], words[from - 2]];
    const gap = source.text.text.slice(before?.end ?? 0, words[from]?.start ?? 0);
    if (gap.includes("(")) signs.inBrackets = 1;
    if (before?.norm === "and" || (/,\s*$/.test(gap) && earlier?.isCapital)) signs.inList = 1;
    if (before?.norm === "by") signs.afterBy = 1;
  }
  return signs;
}
