const yesNo = /^(is|are|was|were|do|does|did|has|have|can|could|will|would)\s+/i;
const wh = /\b(who|whom|whose|what|which|where|when|how (?:many|much|old|long|far))\b/gi;
/** Where the words of "which American rock band" end and its verb begins. */
const verb =
  /^(is|are|was|were|do|does|did|has|have|had|can|could|will|would|that|of|in|on|to|for|by|from|with|at|\w+ed|won|wrote|led|sang|made|held|plays?|gives?|contains?|includes?|stars?|serves?)$/i;

/**
 * The question as a sentence with the answer in the place of what it asks for: "Which band was founded first, A or B?" →
 * "A was founded first." The sentences are rough, as a model's are. Null for questions that ask for no part of a sentence.
 */
export function restate(question: string, answer: string): string | null {
  const asked = question
    .trim()
    .replace(/\s*\?+\s*$/, "")
    .replace(/\s+/g, " ");
  if (yesNo.test(asked)) return restateYesNo(asked, answer);
  const found = findAsking(asked);
  if (!found) return null;
  const before = asked.slice(0, found.index);
  const words = asked
    .slice(found.index + found[0].length)
    .trim()
    .split(" ")
    .filter((word) => word !== "");
  const cut = words.findIndex((word) => verb.test(word.replace(/,$/, "")));
  const rest = dropOptions((cut === -1 ? [] : words.slice(cut)).join(" "));
  return `${[before.trim(), answer, rest]
    .filter((part) => part !== "")
    .join(" ")
    .replace(/\s+,/g, ",")}.`;
}

/** The word that asks: the first of the question if it does, else the last but for a "who" or "which" that only relates. */
function findAsking(asked: string): RegExpExecArray | undefined {
  const found = [...asked.matchAll(wh)];
  const first = found[0];
  if (first && first.index < 12) return first;
  return found.findLast(({ 0: word }) => /^(what|which|how|where|when)/i.test(word)) ?? found.at(-1);
}

/** "…, A or B" at the end names what there is to choose from. */
function dropOptions(rest: string): string {
  const comma = rest.search(/,[^,]* or [^,]*$/);
  return comma === -1 ? rest : rest.slice(0, comma);
}

function restateYesNo(asked: string, answer: string): string | null {
  const said = answer.toLowerCase();
  if (said !== "yes" && said !== "no") return null;
  const statement = asked.replace(yesNo, "");
  return said === "yes" ? `Yes, it is true of ${statement}.` : `No, it is not true of ${statement}.`;
}
