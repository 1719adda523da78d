import type { TextSpan } from "#contract";
import type { Range, Text } from "../../types.ts";

/** A part of a text as evidence. */
export function toSpan({ source, text }: Text, { start, end }: Range): TextSpan {
  return { source, start, end, text: text.slice(start, end) };
}
