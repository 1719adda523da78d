import MiniSearch from "minisearch";
import { stemmer } from "stemmer";
import { foldText } from "#contract";
import type { GuidePage, GuideSection } from "./sections.ts";

export interface GuideHit {
  readonly page: GuidePage;
  readonly section: GuideSection;
  /** The words around what was found. */
  readonly excerpt: string;
}

/** Words that a question has and an answer needn't have. */
const stopWords = new Set(
  "a an and are be can could did do does for from have how i if in is it its may me my of on or our should so that the their there they this to want was we what when where which who why will with would you your".split(
    " ",
  ),
);

/** Words of newcomers, and the ones that the pages use for the same thing. Both are stemmed before they are compared. */
const synonyms: Readonly<Record<string, string>> = {
  apikey: "key",
  bill: "cost",
  cancel: "stop",
  cheap: "cost",
  correct: "grade",
  crash: "wrong",
  delete: "remove",
  download: "export",
  error: "failed",
  evaluate: "grade",
  excel: "workbook",
  fake: "mock",
  faster: "rate",
  folder: "data",
  hallucination: "verify",
  help: "guide",
  import: "open",
  kept: "stored",
  llm: "model",
  location: "folder",
  money: "cost",
  move: "backup",
  much: "cost",
  offline: "mock",
  password: "passphrase",
  pause: "wait",
  pay: "cost",
  price: "cost",
  private: "privacy",
  question: "prompt",
  rerun: "retry",
  resume: "continue",
  safe: "privacy",
  save: "stored",
  score: "grade",
  sent: "leaves",
  secret: "key",
  security: "privacy",
  slow: "rate",
  spend: "cost",
  spreadsheet: "table",
  store: "folder",
  stuck: "waits",
  template: "prompt",
  token: "key",
  uninstall: "remove",
  upload: "table",
};

/** Sections beyond these are less and less about it. */
const mostHits = 40;

/** Characters of an excerpt. */
const excerptLength = 130;

const split = (text: string): string[] => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
const stemOf = (word: string): string => (/^[a-z]+$/.test(word) ? stemmer(word) : word);
const synonymStems = new Map(Object.entries(synonyms).map(([from, to]) => [stemOf(from), stemOf(to)]));

interface Entry {
  readonly id: number;
  readonly page: GuidePage;
  readonly section: GuideSection;
}

/**
 * Makes a search over sections: by their stems, words of a question left out, those first that have the words in their titles.
 * A section that lacks some of the words comes after those that have more of them.
 */
export function createGuideSearch(pages: readonly GuidePage[]): (query: string) => GuideHit[] {
  const entries = pages
    .flatMap((page) => page.sections.map((section) => ({ page, section })))
    .map((entry, id): Entry => ({ id, ...entry }));
  const index = new MiniSearch<Entry>({
    fields: ["title", "pageTitle", "words"],
    tokenize: split,
    processTerm: (word) => (stopWords.has(word) ? null : stemOf(word)),
    extractField: ({ id, page, section }, field) =>
      ({ id: String(id), title: section.title, pageTitle: page.title, words: section.words })[field] ?? "",
    searchOptions: {
      boost: { title: 6, pageTitle: 3 },
      processTerm: (word) => {
        if (stopWords.has(word)) return null;
        const stem = stemOf(word);
        const same = synonymStems.get(stem);
        return same === undefined ? stem : [stem, same];
      },
      // While a word is typed, its beginning finds it.
      prefix: (term) => term.length > 2,
      weights: { prefix: 0.3, fuzzy: 0.1 },
      fuzzy: (term) => (term.length > 5 ? 1 : false),
    },
  });
  index.addAll(entries);

  return (query) => {
    const starts = split(query)
      .filter((word) => !stopWords.has(word))
      .map(stemOf);
    return index
      .search(query)
      .flatMap(({ id }) => {
        const entry = entries[Number(id)];
        if (entry === undefined) return [];
        return [{ page: entry.page, section: entry.section, excerpt: cutExcerpt(entry.section.words, starts) }];
      })
      .slice(0, mostHits);
  };
}

/** From the beginning of a word a little before the first that begins like one of `starts`. */
function cutExcerpt(text: string, starts: readonly string[]): string {
  const found = Array.from(text.matchAll(/[\p{L}\p{N}]+/gu)).find(([word]) =>
    starts.some((start) => foldText(word).startsWith(start)),
  );
  const wanted = Math.max(0, (found?.index ?? 0) - 40);
  const start = wanted === 0 ? 0 : text.indexOf(" ", wanted) + 1;
  const cut = text.slice(start, start + excerptLength);
  const end = start + excerptLength < text.length ? cut.lastIndexOf(" ") : cut.length;
  return `${start > 0 ? "… " : ""}${cut.slice(0, end)}${start + end < text.length ? " …" : ""}`;
}
