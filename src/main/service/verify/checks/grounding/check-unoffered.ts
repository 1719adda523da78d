import type { Name, Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { positionsOf } from "./evidence.ts";
import { freshNames } from "./fresh-name.ts";
import { readOffer } from "./offer.ts";
import { mayBeOffered, type Offered } from "./other-names.ts";

/** In words: longer responses say more than which one it is. */
const longest = 30;

/** "The former", "neither", "the French one": it is one of those offered, or something is said of both. */
const pointers = new Set(
  "former latter first second third last neither none both same equal equally tie tied other another one ones two either all each not a b c".split(
    " ",
  ),
);

/** A response to "Which is older, A or B?" has to choose one of these, not give another name that the passage has. */
export function checkUnoffered(context: Context): readonly Finding[] {
  const { question, answer, reading } = context;
  if (answer.words.length > longest || question.options === null) return [];
  const offered = readOffer(reading.prompt.text, question).map(({ from, to }) => question.all.slice(from, to));
  if (offered.length < 2 || !offered.every((words) => isKnown(context, words))) return [];
  const asked = new Set(question.words.map(({ norm }) => norm));
  if (answer.words.some(({ norm }, at) => pointers.has(norm) && !asked.has(norm) && !answer.ignored.has(at))) return [];
  const fresh = freshNames(context);
  const [name] = fresh;
  if (!name || !saysNamesAlone(context, fresh)) return [];
  if (fresh.some((each) => isDescribing(context, each) || mayBeOffered(context, each, offered))) return [];
  const range = { start: answer.words[name.from]?.start ?? 0, end: answer.words[name.to - 1]?.end ?? 0 };
  const said = quote(answer.text.text.slice(range.start, range.end));
  return [
    createFinding("contradicted", range, `The question asks for ${listOffered(context, offered)}, not for ${said}.`),
  ];
}

/** Whether the passage has at least a part of what is offered as a name. */
function isKnown({ evidence }: Context, words: readonly Word[]): boolean {
  return words.some(
    (word) =>
      !word.isFunction &&
      positionsOf(evidence, word).some((at) => evidence.words[at]?.isCapital === true || word.isNumber),
  );
}

/** Whether a response says nothing beside some names but what was asked: "the author of Emma" may well describe one that is offered. */
function saysNamesAlone({ answer }: Context, names: readonly Name[]): boolean {
  return answer.statements.every(
    ({ word, at, isAsked }) => isAsked || word.isNumber || names.some(({ from, to }) => at >= from && at < to),
  );
}

/** "The firm of Ann Lee", "Ann Lee's novel", "in Rome": something that is told by a name. */
function isDescribing({ answer }: Context, { from, to }: Name): boolean {
  const before = answer.words[from - 1];
  const link = /^(the|a|an)$/.test(before?.norm ?? "") ? answer.words[from - 2] : before;
  if (/^(of|by|from|in|at|with|to|for|on|near|than|like|as|under|called)$/.test(link?.norm ?? "")) return true;
  return /^['’]/.test(answer.text.text.slice(answer.words[to - 1]?.end ?? 0));
}

/** “A” or “B”. */
function listOffered({ reading }: Context, offered: Offered): string {
  const names = offered.map((words) => quote(reading.prompt.text.slice(words[0]?.start ?? 0, words.at(-1)?.end ?? 0)));
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
