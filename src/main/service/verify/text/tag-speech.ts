import nlp from "compromise/two";

/** What compromise answers, which it leaves untyped. */
interface TaggedSentence {
  readonly terms: readonly { readonly tags: readonly string[]; readonly offset: { readonly start: number } }[];
}

/** What part of speech a word is, as far as it matters here. */
export type Speech = "noun" | "adjective" | "other";

/**
 * The parts of speech of a sentence's words, by where each starts in it. Costs about a third of a millisecond, so it is
 * for few and short sentences.
 */
export function tagSpeech(sentence: string): ReadonlyMap<number, Speech> {
  const tagged = new Map<number, Speech>();
  const sentences: readonly TaggedSentence[] = nlp(sentence).json({ terms: { tags: true }, offset: true });
  for (const { terms } of sentences) {
    for (const { tags, offset } of terms) tagged.set(offset.start, toSpeech(tags));
  }
  return tagged;
}

function toSpeech(tags: readonly string[]): Speech {
  if (tags.includes("Verb") || tags.includes("Pronoun")) return "other";
  if (tags.includes("Noun")) return "noun";
  return tags.includes("Adjective") && !tags.includes("Comparative") && !tags.includes("Superlative")
    ? "adjective"
    : "other";
}
