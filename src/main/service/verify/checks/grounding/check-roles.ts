import { kindsOf, type Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { type Evidence, positionsOf, sentenceSpan } from "./evidence.ts";
import { freshName } from "./fresh-name.ts";
import { isExtractive } from "./is-extractive.ts";
import { rememberWithin } from "./passage.ts";
import { type Holder, isRole, readHolders } from "./roles.ts";

const mostSaid = 50;

const holdersOf = rememberWithin(readHolders);

/** "The supplier is Dana Fisk": who is given a role has to be who has it in the passage, where the passage gives it to one alone. */
export function checkRoles(context: Context): readonly Finding[] {
  const { answer, evidence } = context;
  const said = readHolders(answer.text.text, answer.words).slice(0, mostSaid);
  const asked = isExtractive(context) ? findAskedRole(context.question.words) : null;
  const name = asked ? freshName(context) : null;
  if (asked && name) said.push({ ...name, role: asked.key, at: name.from, isDefined: false });
  if (said.length === 0) return [];
  const known = holdersOf(evidence.passage);
  return said.flatMap((holder) => checkHolder(context, holder, known) ?? []).slice(0, 1);
}

function checkHolder({ answer, evidence, subject }: Context, said: Holder, known: readonly Holder[]): Finding | null {
  const holder = findOnlyHolder(evidence, said.role, known);
  const words = answer.words.slice(said.from, said.to).filter(({ isFunction }) => !isFunction);
  if (!holder || words.length === 0 || words.some((word) => positionsOf(evidence, word).length === 0)) return null;
  const own = new Set(evidence.words.slice(holder.from, holder.to).map(({ key }) => key));
  if (words.some(({ key }) => own.has(key)) || (!holder.isDefined && sharesSentence(evidence, words, holder)))
    return null;
  const range = { start: answer.words[said.from]?.start ?? 0, end: answer.words[said.to - 1]?.end ?? 0 };
  const start = evidence.words[holder.from]?.start ?? 0;
  const name = evidence.source.text.text.slice(start, evidence.words[holder.to - 1]?.end ?? 0);
  const role = evidence.words[holder.at]?.raw ?? "";
  return createFinding(
    "contradicted",
    range,
    `${subject} has ${quote(name)} as the ${role}, not ${quote(answer.text.text.slice(range.start, range.end))}.`,
    [sentenceSpan(evidence, holder.at)],
  );
}

/** The one who has a role: nothing else of the passage may be called so, or by a narrower word. */
function findOnlyHolder(evidence: Evidence, role: string, known: readonly Holder[]): Holder | null {
  const own = known.filter((holder) => holder.role === role);
  const [first] = own;
  if (!first) return null;
  const defined = own.filter(({ isDefined }) => isDefined);
  if (defined.length > 0) return defined.length === 1 ? (defined[0] ?? null) : null;
  const isAlone = evidence.positions.get(role)?.length === 1;
  return isAlone && ![...evidence.positions.keys()].some((key) => kindsOf(key).includes(role)) ? first : null;
}

function sharesSentence(evidence: Evidence, words: readonly Word[], { at }: Holder): boolean {
  const sentence = evidence.words[at]?.sentence;
  return words.some((word) =>
    positionsOf(evidence, word).some((there) => evidence.words[there]?.sentence === sentence),
  );
}

/** "Who is the mayor?": nothing but an adjective or two stands between. */
function findAskedRole(words: readonly Word[]): Word | null {
  const who = words.findIndex(({ norm }) => norm === "who");
  if (who === -1 || !/^(is|was|are|were)$/.test(words[who + 1]?.norm ?? "") || words[who + 2]?.norm !== "the")
    return null;
  const noun = words[who + 3];
  return noun && isRole(noun) ? noun : null;
}
