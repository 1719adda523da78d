import { remember } from "../../../../../remember.ts";
import type { Context } from "../../../context.ts";
import type { Candidate, Mention } from "../../read-candidates.ts";

export type AskedYearSign = "askedYearAfter" | "otherYearAfter";

/** In characters: as far as the years in brackets after a name are looked at. */
const lookahead = 44;
const isolated = /^[12]\d{3}$/;
const bracket = /^["”]? \(((?:[^()]{0,20}\b)?[12]\d{3}(?: ?[–-] ?[12]\d{3})?)\)/;

/**
 * Whether the brackets right after a name have the year that the question names, or another: "Secret Life (2011)",
 * "Washington Redskins (1952–1953)". Only where the passage has the asked year in such brackets, else they say nothing.
 */
export function readAskedYearSigns(
  context: Context,
  { kind, mentions }: Candidate,
): Partial<Record<AskedYearSign, number>> {
  const { asked, spans } = readYears(context);
  if (kind !== "name" || spans.size === 0) return {};
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

/** The years that the question names, and the brackets of the passage that have one of them. */
const readYears = remember(
  ({ question, evidence }: Context): { readonly asked: readonly number[]; readonly spans: ReadonlySet<Span> } => {
    const asked = question.words.filter(({ raw }) => isolated.test(raw)).map(({ raw }) => Number(raw));
    const spans = new Set<Span>();
    if (asked.length === 0) return { asked, spans };
    for (const { from, to } of evidence.passage.names) {
      const span = readSpanAfter({ evidence }, { from, to, sentence: -1 });
      if (span !== null && asked.some((year) => isWithin(year, span))) spans.add(span);
    }
    return { asked, spans };
  },
);

function readSpanAfter({ evidence: { words, source } }: Pick<Context, "evidence">, { to }: Mention): Span | null {
  const end = words[to - 1]?.end ?? 0;
  const [, inside] = bracket.exec(source.text.text.slice(end, end + lookahead)) ?? [];
  const years = inside?.match(/[12]\d{3}/g)?.map(Number) ?? [];
  const [first, last = first] = years;
  return first === undefined || last === undefined ? null : { first, last };
}
