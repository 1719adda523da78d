import { isCalendarWord, type NumberMention, type Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { readWanted, type WantedKind } from "./candidates/index.ts";
import { type Context, createFinding } from "./context.ts";
import { type Evidence, positionsOf } from "./evidence.ts";
import { longestAnswer } from "./is-extractive.ts";

/** What a question asks for, as far as an answer can be told from none by it. */
type Sort = "number" | "length" | "time" | "year" | "name";

/**
 * A sentence about what was asked that has nothing of the sort asked for: no number for "how many", no name for "which
 * country". It may well be true, but answers another question.
 */
export function checkSort(context: Context): readonly Finding[] {
  const { answer } = context;
  if (answer.isAbstaining || answer.words.length > longestAnswer) return [];
  const sort = findSort(context);
  const fresh = answer.statements.filter(({ isAsked }) => !isAsked);
  const said = sort === "name" || fresh.length > 0 ? fresh : answer.statements;
  const [first, last] = [said[0], said.at(-1)];
  if (!first || !last || sort === null || hasSort(context, sort)) return [];
  const range = { start: first.word.start, end: last.word.end };
  return [createFinding("contradicted", range, `The question asks for a ${sort}, and this gives none.`)];
}

const measured = /^(tall|high|deep|wide)$/;
const counted = /^(many|much|old|long|far|tall|high|deep|wide|heavy)$/;
const namedKinds: ReadonlySet<WantedKind> = new Set<WantedKind>(["place", "person", "title", "body"]);
/** Of places, those that always have a name. */
const namedPlaces =
  /^(city|town|village|country|state|county|province|region|continent|nation|island|river|lake|kingdom|republic)$/;

/** "When may one enter?", "In an emergency": asks for the case. */
const allowing = /^(can|may|must|should|could|might)$/;

/** Null where anything may be the answer. */
function findSort({ question }: Context): Sort | null {
  const norms = question.words.map(({ norm }) => norm);
  if (question.kind === "how-many") {
    const how = norms[norms.indexOf("how") + 1] ?? "";
    if (norms.includes("how") && !counted.test(how)) return null;
    return measured.test(how) ? "length" : "number";
  }
  const { kind, head, at, phrase } = readWanted(question);
  if (question.kind === "when" && norms[at]?.startsWith("when"))
    return norms.some((norm) => allowing.test(norm)) ? null : "time";
  if (head === null || !["when", "what", "who"].includes(question.kind)) return null;
  if (/^percent(age)?$/.test(head.norm)) return "number";
  // "Which town", not "what is the trade of the town".
  if (question.words[at + 1] !== phrase[0] || phrase.at(-1) !== head) return null;
  if (kind === "year") return head.norm === "year" ? "year" : null;
  return namedKinds.has(kind) && (kind !== "place" || namedPlaces.test(head.norm)) ? "name" : null;
}

function hasSort(context: Context, sort: Sort): boolean {
  const { answer } = context;
  const mentions = answer.numbers.map(({ mention }) => mention);
  switch (sort) {
    case "name":
      return hasName(context);
    case "time":
      return answer.words.some(isOfTime) || mentions.some((mention) => mayBeTime(answer.text.text, mention));
    case "year":
      return answer.words.some(isOfTime) || mentions.length > 0;
    case "length":
      return mentions.some((mention) => mayBeLength(answer.text.text, mention));
    case "number":
      return (
        mentions.some(({ kind }) => kind !== "ordinal") ||
        answer.words.some(isOfNumber) ||
        answer.words.some(({ norm }, at) => units.test(norm) && /^an?$/.test(answer.words[at - 1]?.norm ?? "")) ||
        isList(context)
      );
  }
}

/** Words that say how many without a number. */
const ofNumber: ReadonlySet<string> = new Set(
  `no none nobody nothing zero both all every each half double triple twice thrice once single only pair couple several many few dozen
  dozens hundreds thousands millions trio duo quartet quintet sextet septet octet free same as lot lots penny
  hour minute day week month year decade never always forever annually yearly monthly weekly daily hourly overnight teenager twenties
  thirties forties fifties sixties seventies eighties nineties until till since from during`.split(/\s+/),
);

/** "A litre" */
const units =
  /^(litre|liter|metre|meter|mile|kilometre|kilometer|foot|inch|yard|gram|kilo|kilogram|pound|ounce|ton|tonne|gallon|pint|cup|spoon|teaspoon|tablespoon|pinch|handful|dollar|euro|cent|second|fraction|fortnight)$/;

function isOfNumber({ norm, isNumber }: Word): boolean {
  return isNumber || ofNumber.has(norm);
}

/** "Ann, Bob and Cy", as an answer to how many there are. */
function isList({ answer }: Context): boolean {
  return answer.names.length > 1 && answer.words.some(({ norm }) => norm === "and");
}

const ofSurface = /^\s?(?:square|sq\b|cubic|acres|hectares|people|inhabitants)/;

function mayBeLength(text: string, { unit, end }: NumberMention): boolean {
  return unit === null ? !ofSurface.test(text.slice(end, end + 12)) : unit.unit.dimension === "length";
}

const ofTime: ReadonlySet<string> = new Set(
  `before after during when while until till since once whenever later earlier ago day days night week weeks weekend month months year
  years annually yearly monthly weekly daily decade decades century centuries age aged era period reign war today tomorrow yesterday
  now soon never always spring summer autumn fall winter season morning noon afternoon evening midnight dawn dusk christmas easter
  birth death childhood immediately hour hours minute minutes upon following midday sunrise sunset time times date beginning end
  start as if between semester term oclock past half quarter twenties thirties forties fifties sixties seventies eighties nineties within early late holiday holidays festival ramadan passover thanksgiving hanukkah diwali eid lent
  advent whitsun breakfast lunch dinner supper break first last next arrival completion`.split(/\s+/),
);

function isOfTime({ norm, isNumber }: Word): boolean {
  return isNumber || isCalendarWord(norm.replace(/s$/, "")) || ofTime.has(norm);
}

/** "Three" counts something, where "the third" may be a day and "sixty-six" a year. */
function mayBeTime(text: string, { unit, isWord, kind, value, end }: NumberMention): boolean {
  const isCounting = /^ \p{Ll}/u.test(text.slice(end, end + 2));
  return !isWord || kind === "ordinal" || value > 12 || unit?.unit.dimension === "time" || !isCounting;
}

/** Who is meant without a name. */
const people: ReadonlySet<string> = new Set(
  `people person man woman men women boy girl child children student students member members staff team crew company firm police army
  navy government parliament council committee board court jury church family parent parents father mother brother brothers sister
  sisters son sons daughter daughters wife husband widow uncle aunt nephew niece cousin grandfather grandmother friend friends
  neighbour neighbours neighbor neighbors guest guests customer customers tenant tenants landlord landlady owner owners manager
  managers teacher teachers doctor doctors nurse nurses someone everyone everybody nobody anyone none all both worker workers
  employee employees visitor visitors volunteer volunteers himself herself themselves`.split(/\s+/),
);

/** Whether there is a name beside those of the question, or a word for somebody. */
function hasName({ evidence, answer, question }: Context): boolean {
  const asked = new Set(question.words.map(({ norm }) => norm));
  return (
    answer.statements.some(({ word }) => !asked.has(word.norm) && isNamed(evidence, word)) ||
    answer.words.some(({ norm }) => people.has(norm))
  );
}

/** A name may be written in small letters, and stands with a capital in the text then. */
function isNamed(evidence: Evidence, word: Word): boolean {
  if (word.isNumber || word.key.startsWith("place:")) return true;
  const places = positionsOf(evidence, word);
  return (word.isCapital && places.length === 0) || places.some((at) => evidence.words[at]?.isCapital === true);
}
