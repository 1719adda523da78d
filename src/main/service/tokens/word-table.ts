/** How many tokens words have (one at least), kept for those that come again. */
export interface WordTable {
  /** The count of the word that stands at `[start, end)` of the text (UTF-16 units); null when it is not kept. */
  find(text: Uint16Array, start: number, end: number, hash: number): number | null;
  keep(word: Uint16Array, hash: number, tokens: number): void;
}

/** In UTF-16 units. Longer words are rare, and not kept. */
const longestKeptWord = 28;

/** A power of two. Half of the places are filled at most: then the table starts over. */
const places = 2 ** 15;
/** Places that are looked at for one word. Text that was made to crowd some places costs no more than that. */
const mostTries = 8;

/** All of a word stands together in as much memory as processors fetch at once: 64 bytes. */
const placeUnits = 4 + longestKeptWord;
const lowHash = 0;
const highHash = 1;
const length = 2;
const count = 3;
const firstUnit = 4;

/**
 * A hash table whose words are looked up where they stand. A `Map` would need each cut out of its text first, which takes
 * several times as long as the look-up; and strings lie about in memory, so that each would have to be waited for.
 */
export function createWordTable(): WordTable {
  const units = new Uint16Array(places * placeUnits);
  let used = 0;

  function holds(at: number, text: Uint16Array, start: number, end: number, hash: number): boolean {
    if (units[at + lowHash] !== (hash & 0xffff) || units[at + highHash] !== hash >>> 16) return false;
    if (units[at + length] !== end - start) return false;
    for (let unit = at + firstUnit, from = start; from < end; unit++, from++) {
      if (units[unit] !== text[from]) return false;
    }
    return true;
  }

  function put(at: number, word: Uint16Array, hash: number, tokens: number): void {
    units[at + lowHash] = hash & 0xffff;
    units[at + highHash] = hash >>> 16;
    units[at + length] = word.length;
    units[at + count] = tokens;
    units.set(word, at + firstUnit);
  }

  return {
    find(text, start, end, hash) {
      for (let tries = 0; tries < mostTries; tries++) {
        const at = placeOf(hash, tries) * placeUnits;
        if (units[at + count] === 0) return null;
        if (holds(at, text, start, end, hash)) return units[at + count] ?? null;
      }
      return null;
    },
    keep(word, hash, tokens) {
      if (word.length > longestKeptWord) return;
      if (used === places / 2) {
        units.fill(0);
        used = 0;
      }
      for (let tries = 0; tries < mostTries; tries++) {
        const at = placeOf(hash, tries) * placeUnits;
        if (units[at + count] !== 0) continue;
        put(at, word, hash, tokens);
        used += 1;
        return;
      }
    },
  };
}

/** The low bits of the hash alone say too little of the first letters. */
function placeOf(hash: number, tries: number): number {
  return ((hash ^ (hash >>> 15)) + tries) & (places - 1);
}

/** FNV-1a over code units: the hash of no text. */
export const emptyHash = 0x811c9dc5;

/** The hash of a text that goes on with this code unit. */
export function addToHash(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}
