import { memoize } from "../memoize.ts";
import type { Text } from "../types.ts";
import { type Word, wordsOf } from "./words.ts";

/** The languages whose months and negations are known. Of these, English alone has number words that are read. */
export type Language = "en" | "de" | "fr" | "es" | "it" | "pt";

/** What texts in a language are known by, and what is known of it, without diacritics. */
const known: Readonly<
  Record<Language, { readonly grammar: string; readonly negations: string; readonly numbers: string }>
> = {
  en: {
    grammar:
      "the a an and or but of to in on at by for with from is are was were be been has have had it its he she they this that these those which who not will would can may must should as if there their his her we you your our all any no do does did than when where",
    negations:
      "not never no nor neither none cannot cant isnt arent wasnt werent doesnt dont didnt hasnt havent hadnt wont wouldnt couldnt shouldnt mustnt",
    numbers: "",
  },
  de: {
    grammar:
      "der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren wird werden wurde wurden hat haben mit fur auf von zu zum zur im in am an bei nach aus dass sich auch wie bis ab pro uber unter er es sie wir ihr ihre nur als wenn kann muss um vor seit durch nicht kein keine",
    negations: "nicht kein keine keinen keinem keiner keines nie niemals weder",
    numbers:
      "zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig hundert tausend million millionen",
  },
  fr: {
    grammar:
      "le la les un une des du de et ou mais est sont etait ete sera ont en dans pour par sur avec au aux ce cette ces qui que il elle ils elles nous vous se son sa ses leur plus comme depuis entre chez sans sous a ne lors dont ainsi cet pas aux",
    negations: "pas jamais aucun aucune ni",
    numbers:
      "deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante cent cents mille million millions",
  },
  es: {
    grammar:
      "el la los las un una unos unas de del y o pero es son fue fueron era sera ha han en por para con al que se su sus lo como mas este esta estos estas desde entre sin sobre hasta cuando donde tiene",
    negations: "no nunca jamas ningun ninguna ninguno tampoco ni",
    numbers:
      "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento mil millon millones",
  },
  it: {
    grammar:
      "il lo la i gli le un uno una di del della dei delle dello degli e o ma sono era fu stato stata ha hanno in per con che si su da dal dalla nel nella nei al alla ai anche piu come questo questa tra fra entro sara sul sulla non",
    negations: "non mai nessun nessuna nessuno",
    numbers:
      "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento mille mila milione milioni",
  },
  pt: {
    grammar:
      "o a os as um uma de do da dos das e ou mas sao foi foram era sera ha tem em no na nos nas por para com que se ao aos pelo pela mais seu sua seus suas este esta desde entre ate como quando sobre nao",
    negations: "nao nunca jamais nenhum nenhuma nem",
    numbers:
      "dois duas tres quatro cinco seis sete oito nove dez onze doze treze catorze quinze vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem cento mil milhao milhoes",
  },
};

/** The commonest words of other languages, by which a text is known to be in none of the above. */
const others = [
  "de het een en van niet voor met zijn is op naar werd door wordt bij ook dat te aan om uit",
  "och att det som pa ar av for inte den ett en med till har",
  "og er det til ikke pa af av for den et en med som har blev ble",
  "na nie sie jest do od przez dla ze oraz byl zostal po",
  "na se je ne do pro od byl bylo podle ktery",
  "ve bir bu icin ile da de olan olarak gore cok degil",
  "si in nu este cu pe la din pentru fost care un sunt",
  "el la els les amb de dels del una per que va ser",
  "ja on ei oli se etta kun mutta tai joka ovat",
  "az es nem egy hogy volt meg van is",
  "dan yang di tidak ini itu dengan untuk pada dari ke adalah",
].map(toSet);

const languages = Object.keys(known) as readonly Language[];
const sets = Object.fromEntries(
  languages.map((language) => {
    const { grammar, negations, numbers } = known[language];
    return [language, { grammar: toSet(grammar), negations: toSet(negations), numbers: toSet(numbers) }];
  }),
) as Readonly<Record<Language, Readonly<Record<"grammar" | "negations" | "numbers", ReadonlySet<string>>>>>;

/** What words say of their language: one that is known, another one, or nothing. */
export type Detected = Language | "other" | null;

/** The languages that a word of grammar is one of, by their place: those that are known, then the others. */
const votes = new Map<string, number[]>();
[...languages.map((language) => sets[language].grammar), ...others].forEach((words, at) => {
  for (const word of words) votes.set(word, [...(votes.get(word) ?? []), at]);
});

/**
 * The language of some words, by those that carry grammar: the one that has most of them. Null where none has any, or two
 * have as many.
 */
export function detectLanguage(words: readonly Word[]): Detected {
  const counts = new Uint16Array(languages.length + others.length);
  let foreign = 0;
  for (const { norm, raw } of words) {
    if (!latin.test(raw)) foreign += 1;
    if (englishEnding.test(norm)) counts[0] = (counts[0] ?? 0) + 1;
    for (const at of votes.get(norm) ?? []) counts[at] = (counts[at] ?? 0) + 1;
  }
  if (foreign > words.length / 2) return "other";
  const most = Math.max(...counts);
  const first = counts.indexOf(most);
  if (most === 0) return null;
  // Which of the others it is does not matter.
  if (first >= languages.length) return "other";
  return counts.lastIndexOf(most) === first ? (languages[first] ?? null) : null;
}

/** "In 1905 they were defeated": short sentences have too few words of grammar. */
const englishEnding = /^\w{3,}(?:ed|ly)$/;
const latin = /^[\p{Script=Latin}\p{N}\p{M}\p{P}\p{Sc}]+$/u;
/** So many words of a text say what language it is in. */
const mostRead = 400;

/** The language of a text, by its first words. */
export const languageOf: (text: Text) => { readonly language: Detected } = memoize((text: Text) => ({
  language: detectLanguage(wordsOf(text).slice(0, mostRead)),
}));

/** Whether a word carries grammar alone in a language. */
export function isGrammar({ norm, isFunction }: Word, language: Language | null): boolean {
  return isFunction || (language !== null && language !== "en" && sets[language].grammar.has(norm));
}

/** Whether a word is a "not" or "never" of a language. */
export function isNegationWord({ norm }: Word, language: Language): boolean {
  return sets[language].negations.has(norm);
}

const germanCompound = /^(?:ein|zwei|drei|vier|funf|sechs|sieben|acht|neun)(?:und|hundert|tausend)/;

/** Whether a word is a number that is not read: those in words of another language than English. */
export function isUnreadNumber({ norm }: Word, language: Language | null): boolean {
  if (language === null) return false;
  return sets[language].numbers.has(norm) || (language === "de" && germanCompound.test(norm));
}

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
