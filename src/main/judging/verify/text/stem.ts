/** The forms of the commonest verbs and nouns that no ending explains. */
const irregular: ReadonlyMap<string, string> = new Map(
  (
    "began:begin begun:begin wrote:write written:write won:win led:lead held:hold made:make built:build sold:sell bought:buy " +
    "took:take taken:take gave:give given:give went:go gone:go became:become came:come grew:grow grown:grow lost:lose left:leave " +
    "met:meet paid:pay ran:run said:say sent:send spoke:speak spoken:speak taught:teach fell:fall fallen:fall chose:choose " +
    "chosen:choose broke:break broken:break brought:bring kept:keep felt:feel spent:spend lent:lend rose:rise risen:rise saw:see " +
    "seen:see found:find got:get children:child men:man women:woman people:person feet:foot lives:life died:die series:series"
  )
    .split(" ")
    .map((pair) => {
      const [form = "", stem = ""] = pair.split(":");
      return [form, stem] as const;
    }),
);

const nouns = /^(?:children|men|women|people|feet|lives|series)$/;

/** Whether a word is a form of the past that no ending shows. */
export function isPastForm(word: string): boolean {
  return irregular.has(word) && !nouns.test(word);
}

const vowel = /[aeiouy]/;

/**
 * A word's stem: plurals, tenses and adverbs come to the same one ("cities", "city"). Lighter than Porter's, so that
 * different words seldom meet; `word` is folded to lower case without diacritics.
 */
export function stemWord(word: string): string {
  const known = irregular.get(word);
  if (known !== undefined) return dropE(known);
  if (word.length < 4) return word;
  return dropE(stripEnding(stripPlural(word)));
}

function stripPlural(word: string): string {
  if (!word.endsWith("s") || /(ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(xes|zes|ches|shes|sses)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function stripEnding(word: string): string {
  for (const ending of ["ing", "ed", "ly"]) {
    const stem = word.slice(0, -ending.length);
    if (!word.endsWith(ending) || stem.length < 3 || !vowel.test(stem)) continue;
    if (ending === "ly") return stem.endsWith("i") ? `${stem.slice(0, -1)}y` : stem;
    if (stem.endsWith("i")) return `${stem.slice(0, -1)}y`;
    return undouble(stem);
  }
  return word;
}

function undouble(stem: string): string {
  const last = stem.charAt(stem.length - 1);
  const isDouble = last === stem.charAt(stem.length - 2);
  return isDouble && !"lsz".includes(last) ? stem.slice(0, -1) : stem;
}

function dropE(word: string): string {
  return word.length > 3 && word.endsWith("e") ? word.slice(0, -1) : word;
}
