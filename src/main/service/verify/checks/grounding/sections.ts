import type { Word } from "../../text/index.ts";
import type { Evidence } from "./evidence.ts";

const subjectReach = 8;

/** The sentences of a passage about one subject: those that name it, and those that go on about it. */
export interface Section {
  readonly sentences: ReadonlySet<number>;
  /** The first sentence that opens with the subject; where none does, the first that names it. */
  readonly first: number | null;
}

const none: ReadonlySet<string> = new Set();

/** What the passage has to say about something that is named by these keys, up to where it goes over to another. */
export function findSection(evidence: Evidence, keys: ReadonlySet<string>, others = none): Section {
  const named = gatherSection(evidence, keys, others, ({ isCapital, isNumber }) => isCapital || isNumber);
  return named.first === null ? gatherSection(evidence, keys, others, () => true) : named;
}

function gatherSection(
  evidence: Evidence,
  keys: ReadonlySet<string>,
  others: ReadonlySet<string>,
  canName: (word: Word) => boolean,
): Section {
  const sentences = new Set<number>();
  let opening: number | null = null;
  let named: number | null = null;
  let isGoingOn = false;
  for (const index of evidence.source.passage) {
    const words = evidence.sentences.get(index) ?? [];
    const at = words.findIndex((word) => canName(word) && keys.has(word.key));
    if (at !== -1) {
      sentences.add(index);
      named ??= index;
      if (at < subjectReach) opening ??= index;
      isGoingOn = at < subjectReach || isGoingOn;
    } else if (
      isGoingOn &&
      !opensWithName(evidence, words) &&
      !words.some((word) => canName(word) && others.has(word.key))
    )
      sentences.add(index);
    else isGoingOn = false;
  }
  return { sentences, first: opening ?? named };
}

/** Whether a sentence takes up another subject by name. */
function opensWithName({ nameStarts }: Evidence, words: readonly Word[]): boolean {
  const [opener, next] = words;
  if (!opener) return false;
  if (nameStarts.has(opener.start))
    return nameStarts.get(opener.start) === true || next?.norm === "is" || next?.norm === "was";
  return /^(the|a|an)$/.test(opener.norm) && next !== undefined && nameStarts.has(next.start);
}

/** Whether a section has a word with one of the keys. */
export function hasKey(evidence: Evidence, { sentences }: Section, key: string): boolean {
  return (evidence.positions.get(key) ?? []).some((at) => sentences.has(evidence.words[at]?.sentence ?? -1));
}
