import type { FindingKind, TextSpan, Verdict } from "#contract";
import { createQuoteFinder } from "../text/find-quote.ts";
import { readNames } from "../text/names.ts";
import { numbersOf } from "../text/numbers.ts";
import { readQuotations } from "../text/quotations.ts";
import { wordsOf } from "../text/words.ts";
import type { Check, Finding, Range, Text } from "../types.ts";

/** Looks up the numbers, names and quotations of a response in the document; the prompt vouches for its own. */
export const checkLookup: Check = ({ prompt, response, document }) => {
  if (document === null) return [];
  const details = readDetails(prompt, response, document).toSorted((a, b) => a.start - b.start);
  let next = 0;
  return response.sentences.flatMap((sentence) => {
    const from = next;
    while ((details[next]?.start ?? Number.POSITIVE_INFINITY) < sentence.end) next += 1;
    return checkSentence(response, document, sentence, details.slice(from, next));
  });
};

/** Sentences of a document that are looked through for a passage. */
const mostPassages = 500;

interface Detail extends Range {
  readonly kind: FindingKind;
  readonly isKnown: boolean;
}

function checkSentence(
  response: Text,
  document: Text,
  sentence: Range,
  details: readonly Detail[],
): readonly Finding[] {
  const missing = details.filter(({ isKnown }) => !isKnown);
  if (missing.length > 0) {
    return missing.map(({ kind, start, end }) => {
      const shown = response.text.slice(start, end);
      return toFinding(kind, "not_found", { start, end }, `The document doesn't have “${shown}”.`, []);
    });
  }
  if (details.length === 0) return [];
  const passage = document.sentences.slice(0, mostPassages).find(({ start, end }) => {
    const text = document.text.slice(start, end);
    return details.every((detail) => text.includes(response.text.slice(detail.start, detail.end)));
  });
  if (passage === undefined) {
    return [toFinding(null, "not_checkable", sentence, "Its details are in the document, but not together.", [])];
  }
  const { start, end } = passage;
  const evidence: TextSpan = { source: "document", start, end, text: document.text.slice(start, end) };
  return [toFinding(null, "supported", sentence, "Its details stand together in the document.", [evidence])];
}

function readDetails(prompt: Text, response: Text, document: Text): readonly Detail[] {
  const words = wordsOf(response);
  const known = new Set([...wordsOf(prompt), ...wordsOf(document)].map(({ norm }) => norm));
  const values = new Set([...numbersOf(prompt), ...numbersOf(document)].map(({ value }) => value));
  const quotes = createQuoteFinder(document.text);
  return [
    ...numbersOf(response)
      .filter(({ isWord, value }) => !isWord || value > 3)
      .map(({ start, end, value }): Detail => ({ kind: "number", start, end, isKnown: values.has(value) })),
    ...readNames(response, words)
      .filter(({ isSure }) => isSure)
      .map(({ from, to }): Detail => {
        const own = words.slice(from, to);
        const isKnown = own.every(({ norm, isCapital }) => !isCapital || known.has(norm));
        return { kind: "name", start: own[0]?.start ?? 0, end: own.at(-1)?.end ?? 0, isKnown };
      }),
    ...readQuotations(response.text).map(({ start, end }): Detail => {
      const isKnown = quotes.find(response.text.slice(start, end)) !== null;
      return { kind: "quotation", start, end, isKnown };
    }),
  ];
}

function toFinding(
  kind: FindingKind | null,
  verdict: Verdict,
  range: Range,
  reason: string,
  evidence: readonly TextSpan[],
): Finding {
  return { kind, verdict, range, reason, evidence };
}
