import { remember } from "../../../../../remember.ts";
import type { Word } from "../../../../../text/index.ts";
import type { Context } from "../../../context.ts";
import type { Question } from "../../../question.ts";
import type { Candidate } from "../../read-candidates.ts";
import { readWanted } from "../../read-wanted.ts";
import type { SignName, Signs } from "../sign-names.ts";
import { isEvent, isSameEvent } from "./events.ts";
import { foldPlaces } from "./fold-places.ts";
import { readYearPlace, type YearPlace } from "./year-places.ts";

const supporting: readonly SignName[] = ["lifeSame", "eventSame"];
const opposing: readonly SignName[] = ["lifeOther", "lifeUnasked", "eventOther"];

/**
 * Whether a year is the one of what the question asks about: a birth or a death, the same event. What speaks for it may
 * stand at one of its places; what speaks against it, at all.
 */
export function readYearSigns({ evidence, question }: Context, { kind, mentions }: Candidate): Signs {
  if (kind !== "year" || readWanted(question).kind !== "year") return {};
  const asked = readAskedEvent(question);
  const all = mentions.map((mention) => readSignsOf(asked, readYearPlace(evidence.passage, mention)));
  return foldPlaces(all, supporting, opposing);
}

/** What happened in the year that is asked for. */
interface AskedEvent {
  readonly life: YearPlace["life"];
  readonly event: Word | null;
}

/** There is hardly a choice: who asks for a death isn't told of a birth. */
const certain = 2;

const births = /^(born|birth|birthday|birthdate)$/;
const deaths = /^(die|died|dies|death|dead|killed|deceased)$/;
const works = /^(release|released|publish|published|out|premiere|premiered|made|come|came|appear|appeared|issued)$/;
/** After "did", what is asked is in its base form, and what is in the past is said of something else. */
const past = /(ed|[^s]ung|ght|ost|ore|ote|ame|ew|ent|old|aid|uilt|orn|iven|itten)$/;
/** Up to here "what year" opens a question, which then ends with what it asks. */
const farthestOpening = 3;

/** What happened, from the words that stand nearest to the one that asks, or at the end: "When was X, who …, opened?" */
const readAskedEvent = remember((question: Question): AskedEvent => {
  const { at, phrase } = readWanted(question);
  const farFrom = (index: number): number =>
    Math.min(Math.abs(index - at), at < farthestOpening ? question.words.length - 1 - index : Number.POSITIVE_INFINITY);
  const order = question.words
    .map((word, index) => ({ word, far: farFrom(index) }))
    .filter(({ word }) => !phrase.includes(word))
    .toSorted((a, b) => a.far - b.far)
    .map(({ word }) => word);
  const life = order.find(({ norm }) => births.test(norm) || deaths.test(norm));
  const inBase = order.some(({ norm }) => norm === "did") ? order.filter(({ norm }) => !past.test(norm)) : [];
  return {
    life: life === undefined ? null : births.test(life.norm) ? "birth" : "death",
    event: inBase.find(isEvent) ?? order.find(isEvent) ?? null,
  };
});

function readSignsOf(asked: AskedEvent, { life, event, isOfWork }: YearPlace): Signs {
  const signs: Signs = {};
  if (life !== null && asked.life === null) signs.lifeUnasked = 1;
  else if (life !== null) signs[asked.life === life ? "lifeSame" : "lifeOther"] = certain;
  if (asked.event === null) return signs;
  const isSame = event !== null && isSameEvent(event, asked.event);
  if (isSame || (isOfWork && works.test(asked.event.norm))) signs.eventSame = 1;
  else if (event !== null) signs.eventOther = 1;
  return signs;
}
