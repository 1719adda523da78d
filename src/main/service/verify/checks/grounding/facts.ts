import { isDemonym, rootOf, type Word } from "../../text/index.ts";

/**
 * Who or what stands to a deed as a sentence puts it: "directed by Ann Lee" and "Ann Lee directed" (the deed is "direct"),
 * "based in Rome" ("base in").
 */
export interface Agency {
  readonly deed: string;
  /** The words that name who or what it is: `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** Where the verb stands. */
  readonly at: number;
}

const mostAgents = 24;

/** Who is said to have done what, by sentences in the passive voice, and by a name right before its verb. */
export function readAgencies(words: readonly Word[]): readonly Agency[] {
  const found: Agency[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at];
    const previous = words[at - 1];
    if (!word || !previous || word.sentence !== previous.sentence) continue;
    if (word.norm === "by" && isDeed(previous)) {
      const to = endOfAgents(words, at + 1);
      if (to > at + 1) found.push({ deed: rootOf(previous.key), from: at + 1, to, at: at - 1 });
    } else if (word.norm === "by" && previous.isNumber) {
      const verb = findVerbBefore(words, at);
      const to = endOfAgents(words, at + 1);
      if (verb !== null && to > at + 1)
        found.push({ deed: rootOf(words[verb]?.key ?? ""), from: at + 1, to, at: verb });
    } else if (/^(starring|featuring)$/.test(previous.norm) && word.isCapital) {
      found.push({ deed: rootOf(previous.key), from: at, to: endOfAgents(words, at), at: at - 1 });
    } else if (prepositions.has(word.norm) && isLinked(previous)) {
      const to = endOfAgents(words, at + 1);
      if (to > at + 1) found.push({ deed: linkOf(previous, word), from: at + 1, to, at: at - 1 });
    } else if (
      isPast(word) &&
      previous.isCapital &&
      word.start === previous.end + 1 &&
      !isDemonym(previous.norm) &&
      words[at + 1]?.norm !== "by"
    ) {
      let from = at - 1;
      while (words[from - 1]?.isCapital === true && words[from - 1]?.sentence === word.sentence) from -= 1;
      found.push({ deed: rootOf(word.key), from, to: at, at });
    }
  }
  return found;
}

/** What is so, rather than what somebody did. */
const states = new Set(
  "star starred starring stars nominated based born located situated called known named used needed wanted died retired aged related married lived worked joined followed inspired accompanied surrounded bordered caused affected preceded succeeded".split(
    " ",
  ),
);

const farthestVerb = 6;

/** The verb of "was signed on 12 June 1887 by". */
function findVerbBefore(words: readonly Word[], by: number): number | null {
  for (let at = by - 1; at >= Math.max(0, by - farthestVerb); at -= 1) {
    const word = words[at];
    if (!word || word.sentence !== words[by]?.sentence) return null;
    if (isPast(word)) return at;
  }
  return null;
}

export const prepositions: ReadonlySet<string> = new Set("in at for to from after with on near as".split(" "));

/** What a verb and its preposition share with the same in other sentences. */
export function linkOf(verb: Word, preposition: Word): string {
  return `${rootOf(verb.key)} ${preposition.norm}`;
}

function isLinked(word: Word): boolean {
  return (
    !word.isCapital && !word.isFunction && /(ed|born|held|built|set|made|known|found|written|sold|won)$/.test(word.norm)
  );
}

function isDeed(word: Word): boolean {
  return !word.isCapital && !word.isNumber && !word.isFunction && word.norm.length > 3 && !states.has(word.norm);
}

export function isPast(word: Word): boolean {
  return (
    !word.isCapital && !word.isFunction && !states.has(word.norm) && (word.norm.endsWith("ed") || pasts.has(word.norm))
  );
}

const pasts = new Set(
  "wrote won sang led held made built sold bought took gave began became met sent taught drew drove flew chose broke brought founded beat lost written sung drawn driven flown chosen broken given taken spoken shown known grown thrown worn begun done gone seen shot cut put set rose fell grew shrank sank".split(
    " ",
  ),
);

/** "Ann Lee, Bo Chen and Cy Dee of Paris": names, with the small words between them. */
function endOfAgents(words: readonly Word[], from: number): number {
  const sentence = words[from]?.sentence;
  let to = from;
  for (let at = from; at < Math.min(words.length, from + mostAgents); at += 1) {
    const word = words[at];
    if (!word || word.sentence !== sentence) break;
    if (word.isCapital) to = at + 1;
    else if ((!word.isFunction && at - to > 3) || isPast(word)) break;
    else if (/^(in|on|at|for|from|since|until|who|which|that|starring|as)$/.test(word.norm)) break;
  }
  return to;
}
