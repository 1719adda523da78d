import { RE2JS } from "re2js";

/** How much of a text patterns look at, in characters: a pattern takes time that grows with the text. */
const longestText = 100_000;

/**
 * Patterns are RE2's, which match in time that grows with the text alone: no pattern of a rules file can hold the service
 * up. Throws when it is none.
 */
export function createPattern(source: string, ignoreCase: boolean): (text: string) => boolean {
  const pattern = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  return (text) => pattern.test(text.slice(0, longestText));
}

/** Why a text is no pattern; null when it is one. */
export function findPatternMistake(source: string): string | null {
  try {
    createPattern(source, false);
    return null;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, "");
  }
}
