import type { Word } from "../../../../text/index.ts";
import type { Context } from "../../context.ts";
import type { Mention } from "../read-candidates.ts";

/** What stands around a name up to a comma, a bracket, "and" or "who". */
export interface Clause {
  readonly before: readonly Word[];
  readonly after: readonly Word[];
}

/** To each side. What goes on longer is no clause. */
const longestClause = 60;
const joining = /^(and|but|while|who|which|whose|where|when)$/;

/** Reads what stands around a mention in its clause. */
export function readClause({ evidence: { words, source } }: Context, { from, to, sentence }: Mention): Clause {
  const goesOn = (at: number, edge: number): boolean => {
    const word = words[at];
    if (word?.sentence !== sentence || joining.test(word.norm)) return false;
    const [left, right] = at < edge ? [word, words[at + 1]] : [words[at - 1], word];
    return !/[,;:(]/.test(source.text.text.slice(left?.end ?? 0, right?.start ?? 0));
  };
  let [start, end] = [from, to];
  while (from - start < longestClause && goesOn(start - 1, from)) start -= 1;
  while (end - to < longestClause && goesOn(end, to - 1)) end += 1;
  return { before: words.slice(start, from), after: words.slice(to, end) };
}
