/** How many tokens words have (one at least), kept for those that come again. */
export interface WordTable {
  /** The count of the word that stands at `[start, end)` of the text; null when it is not kept. */
  find(text: string, start: number, end: number, hash: number): number | null;
  keep(word: string, hash: number, tokens: number): void;
}

/** A power of two. Half of the places are filled at most: then the table starts over. */
const places = 2 ** 16;
/** Places that are looked at for one word. Text that was made to crowd some places costs no more than that. */
const mostTries = 8;

/**
 * A hash table whose words are looked up where they stand: a `Map` would need each cut out of its text first, which takes
 * several times as long as the look-up itself.
 */
export function createWordTable(): WordTable {
  const words = new Array<string>(places).fill("");
  /** Told apart by these first: a look at the word itself is a jump to another place in memory. */
  const hashes = new Int32Array(places);
  const counts = new Uint8Array(places);
  let used = 0;

  return {
    find(text, start, end, hash) {
      for (let tries = 0; tries < mostTries; tries++) {
        const place = placeOf(hash, tries);
        const tokens = counts[place] ?? 0;
        if (tokens === 0) return null;
        if (hashes[place] !== hash) continue;
        const word = words[place] ?? "";
        if (word.length === end - start && text.startsWith(word, start)) return tokens;
      }
      return null;
    },
    keep(word, hash, tokens) {
      if (used === places / 2) {
        words.fill("");
        counts.fill(0);
        used = 0;
      }
      for (let tries = 0; tries < mostTries; tries++) {
        const place = placeOf(hash, tries);
        if (counts[place] !== 0) continue;
        words[place] = copy(word);
        hashes[place] = hash;
        counts[place] = tokens;
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

/** The same characters, lone surrogates included, with a memory of their own: a slice holds on to the text it is from. */
function copy(word: string): string {
  return Buffer.from(word, "utf16le").toString("utf16le");
}
