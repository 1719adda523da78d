import type { Name, Word } from "../../../text/index.ts";

const alsoCalled =
  /\b(known (simply |professionally |mononymously |collectively )?as|stage name|pen name|nicknamed|aka|a\.k\.a\.?|born|née)\s*(the\s+)?["“]?$/i;
const longestGap = 60;

/** Names that stand beside another name of the same: "Lee Ji-eun, known as IU", "the Football League (FL)". */
export function findAliases(
  text: string,
  words: readonly Word[],
  names: readonly Name[],
): readonly (readonly [Name, Name])[] {
  return names
    .toSorted((a, b) => a.from - b.from)
    .flatMap((name, index, ordered): (readonly [Name, Name])[] => {
      const next = ordered[index + 1];
      if (!next || words[name.from]?.sentence !== words[next.from]?.sentence) return [];
      const gap = text.slice(words[name.to - 1]?.end ?? 0, words[next.from]?.start ?? 0);
      return isAcronym(words, name, next, gap) || saysAlias(gap) ? [[name, next]] : [];
    });
}

function isAcronym(words: readonly Word[], name: Name, next: Name, gap: string): boolean {
  if (next.to - next.from !== 1 || !/^\s*\(["“]?$/.test(gap)) return false;
  const own = words.slice(name.from, name.to).filter(({ isFunction }) => !isFunction);
  return own.map(({ norm }) => norm.charAt(0)).join("") === words[next.from]?.norm;
}

/** What somebody is best known as may be a role of theirs. */
function saysAlias(gap: string): boolean {
  return gap.length < longestGap && alsoCalled.test(gap) && !/\b(best|roles?)\b/.test(gap);
}
