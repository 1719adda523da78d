/** Where a text names a label. */
export interface Mention {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** Words that negate, or reject one thing for another; English, German, French, Spanish, Italian, Portuguese, Chinese. */
const negation =
  /(?<![\p{L}\p{N}])(?:not?|never|neither|nor|cannot|\p{L}+n['’]t|rather than|instead of|as opposed to|unlike|hardly|barely|far from|anything but|nothing|lack(?:s|ing)?|(?:wrong|incorrect|false|untrue|mistake) (?:to|that)|nicht|keine?[nrms]?|nie|pas|non|não|nunca|jamais)(?![\p{L}\p{N}])|[不非没]/iu;
/** Where a negation is none. */
const assurance =
  /\b(?:no (?:doubt|question)|without (?:a |any )?doubt|not (?:only|just|merely)|nothing but|none other than|kein(?:en)? zweifel|sin duda|sans (?:aucun )?doute|senza dubbio|sem dúvida)\b/giu;
/** What ends the part of a sentence that a negation holds for. */
const clauseEnd =
  /[.,;:!?()[\]\n–—。，；]| - |(?<![\p{L}]|anything )(?:but|sondern|aber|mais|sino|pero|mas|because|however|although|though|and (?:is|it|so|therefore)|so)(?![\p{L}])/giu;
/** What says after a label that it is not the one. */
const rejection =
  /^[*_"'`)\]]*\s+(?:\p{L}+n['’]t|(?:is|was|does|can|would|could|must|seems?|are)\b[^.,;:!?\n]{0,30}\b(?:not|wrong|incorrect|ruled out|excluded|eliminated|unlikely|impossible))\b/iu;
/** What follows a label that is also a word of grammar ("A", "no") where it is meant as the label. */
const standsAlone =
  /^(?:["'*`_)\]]*(?:$|[^\p{L}\p{N}\s"'*`_]|\s+(?:[^\p{L}\p{N}]|(?:is|was|because|since|as|and|or|but|would|seems|fits|with|it|he|she|they|this|that|the|there|you|we|I)\b)|\s*\n))/u;
const grammar = /^(?:an?|i|no|so|as|it|is|on|or|o|e|y|un)$/i;

/** Between two things of which the text does not decide for one. */
const choice = /(?<![\p{L}\p{N}])(?:or|oder|ou|o)(?![\p{L}\p{N}])|或/iu;
const choiceAfter = /^["'*`_)\]]*\s*,?\s*(?:(?:or|oder|ou)(?![\p{L}\p{N}])(?!\s+(?:else|otherwise)\b)|或)/iu;
const choiceBefore =
  /(?:(?<![\p{L}\p{N}])(?:or|oder|ou)\s+(?:(?:maybe|perhaps|possibly|even|the|an?|option|answer|choice|label)\s+)*|或\s*)["'*`_([]*$/iu;

/** Whether what follows a label leaves open whether it is the one: "A, or B". */
export const isLeftOpen = (after: string) => choiceAfter.test(after);

/** What follows labels in a list: ", C, and D". */
export function createListReader(names: readonly string[]): (after: string) => string {
  const name = names.toSorted((a, b) => b.length - a.length).map((one) => RegExp.escape(one));
  const word = "(?:and|or|nor|und|oder|et|ou|y|e|o)";
  const list = new RegExp(
    `^(?:["'*\`_)\\]]*(?:\\s*[,;/&]\\s*(?:${word}\\s+)?|\\s+${word}\\s+)(?:(?:the|option|answer|choice|label)s?\\s+)*["'*\`_([]*(?:${name.join("|")})(?![\\p{L}\\p{N}]))+`,
    "iu",
  );
  return (after) => list.exec(after)?.[0] ?? "";
}

/** Whether a text says that the label is the one: neither denied, nor left open, nor a word of grammar that looks like it. */
export function isAffirmed(text: string, { start, end, label }: Mention, readList: (after: string) => string): boolean {
  const after = text.slice(end, end + 1_000);
  if (grammar.test(label) && !standsAlone.test(after)) return false;
  const list = readList(after);
  if (/^["'*`_)\]]*\s*\?/.test(after) || rejection.test(after.slice(list.length))) return false;
  if (choice.test(list) || isLeftOpen(after.slice(list.length))) return false;
  if (choiceBefore.test(text.slice(Math.max(0, start - 40), start))) return false;
  const before = text
    .slice(Math.max(0, start - 200), start)
    .replaceAll(assurance, " ")
    .replaceAll(/((?:\bnot|n['’]t)), [^,.\n]{1,40}, /gi, "$1 ");
  return !negation.test(before.split(clauseEnd).at(-1) ?? "");
}
