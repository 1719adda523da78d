/** How many tokens words have (one at least), stored for those that come again. */
export interface WordTable {
  /** The count of the word that is at `[start, end)` of the text (UTF-16 units); null when it is not stored. */
  find(text: Uint16Array, start: number, end: number, hash: number): number | null;
  add(word: Uint16Array, hash: number, tokens: number): void;
}

/** In UTF-16 units. Longer words are rare, and not stored. */
const longestWord = 28;

/** A power of two. Half of the slots are filled at most: then the table starts over. */
const slots = 2 ** 15;
/** Slots that are looked at for one word. Text that was made to crowd some slots costs no more than that. */
const mostTries = 8;

/** All of a word is together in as much memory as processors fetch at once: 64 bytes. */
const slotUnits = 4 + longestWord;
const lowHash = 0;
const highHash = 1;
const length = 2;
const count = 3;
const firstUnit = 4;

/**
 * A hash table whose words are looked up where they are. A `Map` would need each cut out of its text first, which takes
 * several times as long as the look-up; and strings lie about in memory, so that each would have to be waited for.
 */
export function createWordTable(): WordTable {
  const units = new Uint16Array(slots * slotUnits);
  let used = 0;

  function holds(at: number, text: Uint16Array, start: number, end: number, hash: number): boolean {
    if (units[at + lowHash] !== (hash & 0xffff) || units[at + highHash] !== hash >>> 16) return false;
    if (units[at + length] !== end - start) return false;
    for (let unit = at + firstUnit, from = start; from < end; unit++, from++) {
      if (units[unit] !== text[from]) return false;
    }
    return true;
  }

  function write(at: number, word: Uint16Array, hash: number, tokens: number): void {
    units[at + lowHash] = hash & 0xffff;
    units[at + highHash] = hash >>> 16;
    units[at + length] = word.length;
    units[at + count] = tokens;
    units.set(word, at + firstUnit);
  }

  return {
    find(text, start, end, hash) {
      for (let tries = 0; tries < mostTries; tries++) {
        const at = slotOf(hash, tries) * slotUnits;
        if (units[at + count] === 0) return null;
        if (holds(at, text, start, end, hash)) return units[at + count] ?? null;
      }
      return null;
    },
    add(word, hash, tokens) {
      if (word.length > longestWord) return;
      if (used === slots / 2) {
        units.fill(0);
        used = 0;
      }
      for (let tries = 0; tries < mostTries; tries++) {
        const at = slotOf(hash, tries) * slotUnits;
        if (units[at + count] !== 0) continue;
        write(at, word, hash, tokens);
        used += 1;
        return;
      }
    },
  };
}

/** The low bits of the hash alone depend too little on the first letters. */
function slotOf(hash: number, tries: number): number {
  return ((hash ^ (hash >>> 15)) + tries) & (slots - 1);
}

/** FNV-1a over code units: the hash of no text. */
export const emptyHash = 0x811c9dc5;

/** The hash of a text that continues with this code unit. */
export function addToHash(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}
