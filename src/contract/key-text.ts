/** A key or token as people paste it, without what they copy with it: spaces and line ends around it, and `Bearer` before it. */
export function cutKey(text: string): string {
  return text
    .trim()
    .replace(/^(authorization\s*:\s*)?bearer(\s+|$)/i, "")
    .trim();
}

/** What a header carries and people see: Latin letters, digits, signs, and spaces between them, which some servers' keys have. */
const unusable = /[^\x20-\x7e\xa1-\xac\xae-\xff]/u;

/**
 * The first character of a key that a header can't carry or a screen doesn't show, with its place from 1; null for a usable key. Follows "the key
 * has" in a sentence. Nothing else of the key is in it.
 */
export function findKeyProblem(key: string): string | null {
  const found = unusable.exec(key);
  if (found === null) return null;
  const [character] = found;
  return `${nameCharacter(character)} at position ${[...key.slice(0, found.index)].length + 1}`;
}

function nameCharacter(character: string): string {
  if (character === "\n" || character === "\r") return "a line end";
  if (character === "\t") return "a tab";
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return /[\p{C}\p{Z}]/u.test(character)
    ? `an invisible character (${code})`
    : `the character “${character}” (${code})`;
}
