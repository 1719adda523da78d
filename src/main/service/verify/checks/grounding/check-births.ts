import type { Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { type Birth, readBirths } from "./births.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { positionsOf, sentenceSpan } from "./evidence.ts";
import { freshName } from "./fresh-name.ts";
import { isExtractive } from "./is-extractive.ts";
import { rememberWithin } from "./passage.ts";

const birthsOf = rememberWithin(readBirths);

/** A date of birth that the passage gives for one has to be said of that one, not of another that it names. */
export function checkBirths(context: Context): readonly Finding[] {
  const { answer, evidence, subject } = context;
  const stated = readBirths(answer.text.text, answer.words).filter((birth) => isStated(answer.words, birth));
  const said = [...stated, ...readAsked(context)];
  if (said.length === 0) return [];
  const known = birthsOf(evidence.passage);
  return said.flatMap(({ name, date }) => {
    const same = known.filter((birth) => birth.date === date);
    const [first] = same;
    const words = name ? answer.words.slice(name.from, name.to).filter(({ isFunction }) => !isFunction) : [];
    if (!name || !first?.name || same.some((birth) => birth.name === null)) return [];
    if (words.length === 0 || !words.every((word) => positionsOf(evidence, word).length > 0)) return [];
    if (same.some((birth) => sharesWord(nameOf(evidence.words, birth), words))) return [];
    const range = { start: answer.words[name.from]?.start ?? 0, end: answer.words[name.to - 1]?.end ?? 0 };
    const start = evidence.words[first.name.from]?.start ?? 0;
    const owner = evidence.source.text.text.slice(start, evidence.words[first.name.to - 1]?.end ?? 0);
    const reason = `${subject} gives this date of birth for ${quote(owner)}.`;
    return [createFinding("contradicted", range, reason, [sentenceSpan(evidence, first.at)])];
  });
}

/** "Ann Lee was born", not "a film with Ann Lee and an actor born". */
function isStated(words: readonly Word[], { name, at }: Birth): boolean {
  return name !== null && at - name.to < 3 && words.slice(name.to, at).every(({ norm }) => /^(is|was|who)$/.test(norm));
}

/** "Who was born on 7 June 1981?" with the name that a short answer gives. */
function readAsked(context: Context): readonly Birth[] {
  const { question, reading } = context;
  const asks = question.words.findIndex(({ norm }) => /^(who|which|what)$/.test(norm));
  if (!isExtractive(context) || asks === -1 || !question.words.some(({ norm }) => norm === "born")) return [];
  const born = question.words.findIndex(({ norm }) => norm === "born");
  const between = question.words.slice(asks + 1, born);
  if (born < asks || between.some(({ norm }) => /^(who|which|that|whose|by|of)$/.test(norm))) return [];
  const isDirect = between.at(-1)?.norm === "was";
  const name = isDirect ? freshName(context) : null;
  return name ? readBirths(reading.prompt.text, question.words).map((birth) => ({ ...birth, name })) : [];
}

function nameOf(words: readonly Word[], { name }: Birth): readonly Word[] {
  return name ? words.slice(name.from, name.to) : [];
}

function sharesWord(as: readonly Word[], bs: readonly Word[]): boolean {
  return as.some(({ key }) => bs.some((word) => word.key === key));
}
