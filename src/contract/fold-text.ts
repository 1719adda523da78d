/**
 * A text as it is searched and compared: in small letters, and with each letter and its marks written in one way. Two texts
 * that look the same are the same, whether a keyboard, a file system or a model wrote them.
 */
export function foldText(text: string): string {
  // A sigma at the end of a word is another letter than within it, and the same one.
  return text.toLowerCase().normalize("NFC").replaceAll("ς", "σ");
}

/** A letter with its marks, or a syllable of Korean parts: what may be one character or several. */
const letters = /[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[^\p{M}]\p{M}*|\p{M}+/gsu;

/** Where a text holds another one, as `foldText` compares them: offsets in the text as it is, in order, without overlap. */
export function findFolded(text: string, find: string): { readonly from: number; readonly to: number }[] {
  const wanted = foldText(find);
  if (wanted === "" || !foldText(text).includes(wanted)) return [];
  let folded = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: letter, index } of text.matchAll(letters)) {
    const part = foldText(letter);
    folded += part;
    for (let unit = 0; unit < part.length; unit++) {
      starts.push(index);
      ends.push(index + letter.length);
    }
  }
  const found: { from: number; to: number }[] = [];
  for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + wanted.length)) {
    const [from, to] = [starts[at] ?? 0, ends[at + wanted.length - 1] ?? text.length];
    const last = found.at(-1);
    if (last === undefined || from >= last.to) found.push({ from, to });
  }
  return found;
}
