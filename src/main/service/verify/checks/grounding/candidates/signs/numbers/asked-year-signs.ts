import { remember } from "../../../../../remember.ts";
import type { Context } from "../../../context.ts";
import type { Candidate, Mention } from "../../read-candidates.ts";
import type { Signs } from "../sign-names.ts";

/** In characters: as far as the years in brackets after a name are looked at. */
const lookahead = 44;
const yearAlone = /^[12]\d{3}$/;
const bracket = /^["”]? \(((?:[^()]{0,20}\b)?[12]\d{3}(?: ?[–-] ?[12]\d{3})?)\)/;

/**
 * Whether the brackets right after a name have the year that the question names, or another: "Secret Life (2011)",
 * "Washington Redskins (1952–1953)". Only where the passage has the asked year in such brackets, else they say nothing.
 */
export function readAskedYearSigns(context: Context, { kind, mentions }: Candidate): Signs {
  const { asked, isThere } = readYears(context);
  if (kind !== "name" || !isThere) return {};
  const all = mentions.flatMap((mention) => readSpanAfter(context, mention) ?? []);
  if (all.length === 0) return {};
  return all.some((span) => asked.some((year) => isWithin(year, span))) ? { askedYearAfter: 1 } : { otherYearAfter: 1 };
}

interface Span {
  readonly first: number;
  readonly last: number;
}

function isWithin(year: number, { first, last }: Span): boolean {
  return year >= first && year <= last;
}

/** The years that the question names, and whether the passage has one of them in brackets after a name. */
const readYears = remember((context: Context): { readonly asked: readonly number[]; readonly isThere: boolean } => {
  const { words, sentences, passage } = context.evidence;
  const asked = context.question.words.filter(({ raw }) => yearAlone.test(raw)).map(({ raw }) => Number(raw));
  if (asked.length === 0) return { asked, isThere: false };
  const isThere = passage.names.some((name) => {
    if (!sentences.has(words[name.from]?.sentence ?? -1)) return false;
    const span = readSpanAfter(context, name);
    return span !== null && asked.some((year) => isWithin(year, span));
  });
  return { asked, isThere };
});

function readSpanAfter(
  { evidence: { words, source } }: Pick<Context, "evidence">,
  { to }: Pick<Mention, "to">,
): Span | null {
  const end = words[to - 1]?.end ?? 0;
  const [, inside] = bracket.exec(source.text.text.slice(end, end + lookahead)) ?? [];
  const years = inside?.match(/[12]\d{3}/g)?.map(Number) ?? [];
  const [first, last = first] = years;
  return first === undefined || last === undefined ? null : { first, last };
}
