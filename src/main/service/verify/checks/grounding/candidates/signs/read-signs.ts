import type { Context } from "../../context.ts";
import { indexSentences } from "../index-sentences.ts";
import { readAsked } from "../read-asked.ts";
import { type Candidate, ownKeys } from "../read-candidates.ts";
import { readBesideSigns } from "./beside-signs.ts";
import { readHeadSigns } from "./head-signs.ts";
import { readHopSigns } from "./hops/hop-signs.ts";
import { readKindFitSigns } from "./kind-fit-signs.ts";
import { readKindSigns } from "./kind-signs.ts";
import { readLabelSigns } from "./label-signs.ts";
import { readWholeNameSigns } from "./names/whole-name-signs.ts";
import { readAskedYearSigns } from "./numbers/asked-year-signs.ts";
import { readNumberSigns } from "./numbers/number-signs.ts";
import { readYearSigns } from "./numbers/year-signs.ts";
import { readPartSigns } from "./part-signs.ts";
import { readNature } from "./read-nature.ts";
import { readRoleSigns } from "./roles/role-signs.ts";
import { readOverview, readSentenceSigns } from "./sentence-signs.ts";
import { type Signs, strengthenAll } from "./sign-names.ts";

/** What speaks for and against each candidate as the answer to the question. */
export function readSigns(context: Context, candidates: readonly Candidate[]): readonly Signs[] {
  const asked = readAsked(context);
  const sentences = indexSentences(context, candidates);
  const overview = readOverview(asked, sentences);
  const names = readWholeNameSigns(context, overview, candidates);
  const hops = readHopSigns(context, asked, candidates, sentences);
  const roles = readRoleSigns(context, asked, candidates, sentences);
  const all = candidates.map((candidate, index): Signs => {
    const about = [...sentences.values()].filter(({ topic }) => topic === index);
    const own = ownKeys(candidate);
    const nature = readNature(context, candidate, about);
    const signs: Signs = {
      ...readKindSigns(context, asked, candidate, nature),
      ...readKindFitSigns(context, candidate, nature),
      ...readPartSigns(context, candidate),
      ...readLabelSigns(context, asked, candidate),
      ...readHeadSigns(context, asked, candidate, overview, about),
      ...readSentenceSigns(context, asked, overview, candidates, index),
      ...readNumberSigns(context, candidate),
      ...readYearSigns(context, candidate),
      ...readAskedYearSigns(context, candidate),
      ...readFormSigns(context, candidate),
      ...names[index],
      ...hops[index],
      ...roles[index],
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
  const signs: Signs = {};
  for (const { from } of mentions) {
    const [before, earlier] = [words[from - 1], words[from - 2]];
    const gap = source.text.text.slice(before?.end ?? 0, words[from]?.start ?? 0);
    if (gap.includes("(")) signs.inBrackets = 1;
    if (before?.norm === "and" || (/,\s*$/.test(gap) && earlier?.isCapital)) signs.inList = 1;
    if (before?.norm === "by") signs.afterBy = 1;
  }
  return signs;
}
