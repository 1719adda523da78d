/** Shorter names are not worth a cut in their middle, in characters. */
const shortest = 20;
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Splits a name before its last `keptEnd` characters. Null for a short name, and for one that is read from right to left. */
export function splitName(name: string, keptEnd = 14): readonly [string, string] | null {
  if (name.length < shortest || rightToLeft.test(name)) return null;
  // Letters of several characters are not cut: the end begins with the first one that lies whole in it, and never with a space.
  const isFirst = ({ index, segment }: Intl.SegmentData) => index >= name.length - keptEnd && segment.trim() !== "";
  const from = [...letters.segment(name)].find(isFirst)?.index ?? name.length;
  return [name.slice(0, from), name.slice(from)];
}

/** A model without its vendor: `Llama-3.3-70B` of `meta-llama/Llama-3.3-70B`. */
export function shortModelName(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1) || model;
}
