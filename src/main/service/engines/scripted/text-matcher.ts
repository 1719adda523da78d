import { createPattern } from "./pattern.ts";
import type { TextMatch } from "./rule-schema.ts";

export type TextMatcher = (text: string) => boolean;

export function createTextMatcher(match: TextMatch): TextMatcher {
  if (typeof match === "string") return (text) => text === match;
  const { contains, regex, ignore_case: ignoreCase = false } = match;
  if (regex !== undefined) return createPattern(regex, ignoreCase);
  return (text) => text.includes(contains ?? "");
}
