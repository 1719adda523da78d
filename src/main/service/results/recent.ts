/** The values that were used last, by their key. */
export function createRecent<Value>(most: number) {
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
