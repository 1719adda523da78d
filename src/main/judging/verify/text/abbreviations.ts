/** Words that end in a dot without ending a sentence. */
const abbreviations = wordSet(`
  mr mrs ms messrs dr prof sr jr st rev hon gov sen rep pres capt cmdr col gen lt maj sgt cpl adm mt ft
  vs v etc inc ltd co corp bros dept est ed eds feat approx ca cf al e.g i.e u.s u.k d.c b.c a.d mio mrd tsd
`);
/** Those that are before a number and are words otherwise, or letters: "No. 5", "c. 1830", "p. 12", "12 Sept. 1999". */
const beforeNumber = wordSet(`
  no nos vol fig figs op p pp c d b r fl art ch sec ref tel max min
  jan feb mar apr jun jul aug sep sept oct nov dec
`);
/** Those of words that are before others: "max. load". */
const beforeWord = wordSet("max min tel ref bros op vol");
/** Words that begin a sentence and hardly ever a name. */
const starters = new Set(
  (
    "The This That These Those It He She They We You His Her Its Their Our There In On At From By For With After Before " +
    "During Since Until When While Where As Although Though If But And A An However Then Later Also Both Each All Some " +
    "Many Most Today According Despite Because"
  ).split(" "),
);
/** Units in capitals that a number may have: "2,200 W. Cable: 75 cm." */
const capitalUnits = wordSet("A C F J K L N V W");
const manyLetters = /^(?:\p{L}\.)+\p{L}$/u;
const year = /^1\d{3}$|^20\d{2}$/;

/**
 * Whether a word with a full stop continues: an abbreviation, an initial ("J. Smith") or several ("T.C. Boyle"). `before`
 * is the word before it, `next` the one after it, which a space parts from the full stop.
 */
export function isAbbreviated(before: string, word: string, next: string): boolean {
  if (word === "" || next === "") return false;
  const first = next.charAt(0);
  const lower = word.toLowerCase();
  if (beforeNumber.has(lower) && (isDigit(first) || isCode(next))) return true;
  if (beforeWord.has(lower) && isLower(first)) return true;
  if (abbreviations.has(lower)) return !starters.has(next) && !isUnitOf(before, word, first);
  if (word.length === 1 && isUpper(word)) {
    return (isUpper(first) || first === "&") && !starters.has(next) && !(capitalUnits.has(word) && isAmount(before));
  }
  if (!word.includes(".")) return false;
  return isLower(first) || (isUpper(word.charAt(0)) && isUpper(first) && manyLetters.test(word) && !starters.has(next));
}

/** Whether a small letter is the unit of a number: "at 706 m". */
export function isUnit(before: string, word: string): boolean {
  return isLower(word) && isDigit(before.charAt(before.length - 1));
}

/** "1,200 ft. Puno": no name begins with the unit of a number. */
function isUnitOf(before: string, word: string, first: string): boolean {
  return word === "ft" && isUpper(first) && isAmount(before);
}

function isAmount(word: string): boolean {
  return isDigit(word.charAt(word.length - 1)) && !year.test(word);
}

/** A number with letters: "TV-2207", and a Roman one: "No. X". */
function isCode(next: string): boolean {
  return /^[A-Z]{0,3}-?\d|^[IVXLC]+\b/.test(next);
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

export function isSpace(char: string): boolean {
  return char === " " || char === "\n" || char === "\t" || char === "\r" || char === "\u00a0" || char === "\u3000";
}

export function isDigit(char: string): boolean {
  return char >= "0" && char <= "9";
}

/** Whether a character is a capital letter. */
export function isUpper(char: string): boolean {
  return char !== char.toLowerCase();
}

/** Whether a character is a small letter. */
export function isLower(char: string): boolean {
  return char !== char.toUpperCase();
}
