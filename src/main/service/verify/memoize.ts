/** Of so many things it is remembered what was read. A verification has three texts. */
const most = 6;

const forgetting: (() => void)[] = [];

/** Lets go of all that was remembered: after texts so large that six of them would fill the memory. */
export function forgetAll(): void {
  for (const forget of forgetting) forget();
}

/**
 * What is read of something is read once, and forgotten when others have come after it and nobody went back to it. It is kept in
 * places that are written over, not in a WeakMap, a Map or objects: what those let go of keeps what it held alive for the
 * collector of young objects, so that the texts of thousands of verifications pile up until the next full collection.
 */
export function memoize<K extends object, V extends object, W = void>(read: (of: K, by: W) => V): (of: K, by: W) => V {
  const keys: K[] = [];
  const values: V[] = [];
  const wereUsed: boolean[] = [];
  let next = 0;
  forgetting.push(() => {
    keys.length = values.length = wereUsed.length = next = 0;
  });
  return (of, by) => {
    const at = keys.indexOf(of);
    const before = values[at];
    if (before !== undefined) {
      wereUsed[at] = true;
      return before;
    }
    const value = read(of, by);
    while (wereUsed[next]) {
      wereUsed[next] = false;
      next = (next + 1) % most;
    }
    keys[next] = of;
    values[next] = value;
    wereUsed[next] = false;
    next = (next + 1) % most;
    return value;
  };
}

/** Texts repeat their words, and one another's: so many are remembered, and none that is as long as no word. */
const mostWords = 20_000;
const longestWord = 30;

/** What is read of a word alone is read once, wherever it stands. */
export function memoizeWord<T extends string | object>(read: (word: string) => T): (word: string) => T {
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
