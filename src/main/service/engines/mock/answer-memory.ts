/** Answers that were given before, by the text of their questions; the oldest give way to new ones. */
export interface AnswerMemory<T> {
  recall(question: string): T | undefined;
  keep(question: string, answer: T): void;
}

const mostKept = 200;
const longestKept = 4_000;

/** Tests ask the same again and again: what follows from the question alone need not be worked out each time. */
export function createAnswerMemory<T>(): AnswerMemory<T> {
  const kept = new Map<string, T>();
  return {
    recall: (question) => kept.get(question),
    keep(question, answer) {
      if (question.length > longestKept) return;
      const [oldest] = kept.keys();
      if (kept.size === mostKept && oldest !== undefined) kept.delete(oldest);
      kept.set(question, answer);
    },
  };
}
