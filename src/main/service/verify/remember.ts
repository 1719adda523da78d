/** What is read of something is read once, and forgotten with it. */
export function remember<K extends object, V>(read: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (of) => {
    const before = known.get(of);
    if (before !== undefined) return before.value;
    const value = read(of);
    known.set(of, { value });
    return value;
  };
}
