/** Answers that were given before, by the text of their questions; the oldest give way to new ones. */
export interface AnswerMemory<T> {
  recall(question: string): T | undefined;
  /** Keeps the answer if the question was asked before. `digest` is a number that follows from the question. */
  keep(question: string, digest: number, answer: () => T): void;
}

const mostKept = 200;
const longestKept = 4_000;
/** A power of two. */
const mostNoted = 4_096;

/**
 * Tests ask the same again and again: what follows from the question alone need not be worked out each time. Most
 * questions are asked only once, though: an answer is kept when its question comes the second time.
 */
export function createAnswerMemory<T>(): AnswerMemory<T> {
  const kept = new Map<string, T>();
  /** Digests of questions that were asked, each in a place that follows from it. */
  const noted = new Uint32Array(mostNoted);
  return {
    recall: (question) => kept.get(question),
    keep(question, digest, answer) {
      if (question.length > longestKept) return;
      const place = digest & (mostNoted - 1);
      if (noted[place] !== digest >>> 0) {
        noted[place] = digest;
        return;
      }
      const [oldest] = kept.keys();
      if (kept.size === mostKept && oldest !== undefined) kept.delete(oldest);
      kept.set(question, answer());
    },
  };
}
