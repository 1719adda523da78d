/** Most texts whose readings are cached: a verification has three. */
const most = 6;

const clearing: (() => void)[] = [];

/** Drops every cached reading: after texts so large that six of them would fill the memory. */
export function clearMemoized(): void {
  for (const clear of clearing) clear();
}

/**
 * Caches what is read of an object, for the last few objects; those that are asked for again stay longer. The cache is arrays
 * that are written over, not a WeakMap, a Map or objects: entries that those drop keep their contents alive for the collector
 * of young objects, so that the texts of thousands of verifications pile up until the next full collection.
 */
export function memoize<K extends object, V extends object, W = void>(read: (of: K, by: W) => V): (of: K, by: W) => V {
  const keys: K[] = [];
  const values: V[] = [];
  const wereUsed: boolean[] = [];
  let next = 0;
  clearing.push(() => {
    keys.length = values.length = wereUsed.length = next = 0;
  });
  return (of, by) => {
    const at = keys.indexOf(of);
    const cached = values[at];
    if (cached !== undefined) {
      wereUsed[at] = true;
      return cached;
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

/** Most words whose readings are cached, and the longest of them: texts repeat their words, and one another's. */
const mostWords = 20_000;
const longestWord = 30;

/** Caches what is read of a word alone, wherever it is. */
export function memoizeWord<T extends string | object>(read: (word: string) => T): (word: string) => T {
  const cache = new Map<string, T>();
  return (word) => {
    const cached = cache.get(word);
    if (cached !== undefined) return cached;
    const value = read(word);
    if (cache.size >= mostWords) cache.clear();
    if (word.length <= longestWord) cache.set(word, value);
    return value;
  };
}
