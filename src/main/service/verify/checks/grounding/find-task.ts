import type { Word } from "../../text/index.ts";

/** What a prompt wants done with its text. */
export type Task = "tell" | "make" | "translate";

const translating =
  /\btranslat(e|ion|ing)\b|\b(say|write|answer|put) (this|it|that) in (french|german|spanish|italian|dutch|portuguese|russian|chinese|japanese|korean|arabic|hindi|turkish|polish|swedish)\b/i;
const making =
  /(?:^|[.!?:;,\n]\s*|\b(?:please|to|and|then|can you|could you)\s+)(write|compose|draft|fix|debug|refactor|implement|brainstorm|suggest|invent|imagine|reply|rewrite|continue|create|generate|design|make up|role-?play|pretend)\b(?!\s+(?:(?:a|an|the|your|one|short|brief|\d+|two|three)\s+){0,3}(?:summary|summaries|abstract|answer|overview|list|description|json|table|report of|headline|title|caption|question))/i;
const code = /```|^\s*(def|function|class|import|const|let|var|public|#include)\b/m;

/**
 * Whether a prompt wants to be told what its text says, or something made ("Write a reply", "Fix the code"), in which there
 * may be what the text doesn't have. `asking` is the part of the prompt that asks.
 */
export function findTask(asking: string, response: string): Task {
  if (translating.test(asking)) return "translate";
  return making.test(asking) || (code.test(response) && /\b(code|function|script|program|regex|sql)\b/i.test(asking))
    ? "make"
    : "tell";
}

const foreign = new Set(
  "der die das und ist nicht ein eine mit auf le les des est et une dans pour que qui el los las es una con por para il lo di che non sono della een het van niet och att det som não uma com dos na nie jest i w på ve bir bu".split(
    " ",
  ),
);
const fewestForeign = 2;

/** Whether words are of another language than English: then capitals and plain words tell something else. */
export function isForeign(words: readonly Word[]): boolean {
  let [own, other] = [0, 0];
  for (const { norm, isFunction } of words) {
    if (foreign.has(norm)) other += 1;
    else if (isFunction) own += 1;
  }
  return other >= fewestForeign && other > own;
}
