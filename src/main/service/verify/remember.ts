/** What is read of something is read once, and forgotten with it. */
export function remember<K extends object, V extends object>(read: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, V>();
  return (of) => {
    const before = known.get(of);
    if (before !== undefined) return before;
    const value = read(of);
    known.set(of, value);
    return value;
  };
}

/** Texts repeat their words, and one another's: so many are remembered, and none that is as long as no word. */
const mostWords = 20_000;
const longestWord = 30;

/** What is read of a word alone is read once, wherever it stands. */
export function rememberWord<T extends string | object>(read: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const value = read(word);
    if (known.size >= mostWords) known.clear();
    if (word.length <= longestWord) known.set(word, value);
    return value;
  };
}
