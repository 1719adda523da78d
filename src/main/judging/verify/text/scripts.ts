/** The scripts that are written without spaces between words. */
const spaceless = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";

/** A character of a word in a script that has spaces between words, for regular expressions with the flag `u`. */
export const spacedLetter = `(?![${spaceless}])[\\p{L}\\p{N}_]`;

/** A character of the other scripts. */
export const spacelessLetter = `[${spaceless}]`;
