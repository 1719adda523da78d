/** The values that were used last, by their key. */
export function createLruCache<Value>(most: number) {
  const values = new Map<string, Value>();
  function set(key: string, value: Value): Value {
    values.delete(key);
    values.set(key, value);
    const [oldest] = values.keys();
    if (values.size > most && oldest !== undefined) values.delete(oldest);
    return value;
  }
  return {
    set,
    delete: (key: string) => values.delete(key),
    get(key: string): Value | undefined {
      const value = values.get(key);
      return value === undefined ? undefined : set(key, value);
    },
  };
}

/** The same, each computed anew when one of its dependencies is another than before. */
export function createMemo<Value>(most: number) {
  const recent = createLruCache<{ readonly dependencies: readonly unknown[]; readonly value: Value }>(most);
  return {
    get(key: string, dependencies: readonly unknown[], compute: () => Value): Value {
      const known = recent.get(key);
      const isCurrent =
        known?.dependencies.length === dependencies.length &&
        known.dependencies.every((one, at) => one === dependencies[at]);
      return (isCurrent ? known : recent.set(key, { dependencies, value: compute() })).value;
    },
  };
}
