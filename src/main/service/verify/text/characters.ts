/** Plain questions about one character; none about the empty text. */

export function isSpace(char: string): boolean {
  return char === " " || char === "\n" || char === "\t" || char === "\r" || char === "\u00a0" || char === "\u3000";
}

export function isDigit(char: string): boolean {
  return char >= "0" && char <= "9";
}

/** Whether a character is a capital letter. */
export function isUpper(char: string): boolean {
  return char !== char.toLowerCase();
}

/** Whether a character is a small letter. */
export function isLower(char: string): boolean {
  return char !== char.toUpperCase();
}
