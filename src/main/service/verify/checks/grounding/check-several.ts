import type { Finding } from "../../types.ts";
import { compareBy, readPair } from "./compare-options.ts";
import { type Context, createFinding } from "./context.ts";
import { findDirection } from "./directions.ts";
import { readOffer } from "./offer.ts";

/** Of three and more that a question offers, the response must not choose one that another is before. */
export function checkSeveral(context: Context): readonly Finding[] {
  const { question, answer, reading } = context;
  const found = findDirection(question.words);
  const offered = found === null ? [] : readOffer(reading.prompt.text, question);
  if (found === null || offered.length < 3) return [];
  const keys = offered.map(
    (name, at) =>
      new Set(
        question.all
          .slice(name.from, name.to)
          .map(({ key }) => key)
          .filter((key) =>
            offered.every(
              ({ from, to }, index) => index === at || !question.all.slice(from, to).some((word) => word.key === key),
            ),
          ),
      ),
  );
  const named = keys.flatMap((own, at) => (answer.words.some(({ key }) => own.has(key)) ? [at] : []));
  const [chosen] = named;
  const name = chosen === undefined ? undefined : offered[chosen];
  const word = answer.words.find(({ key }) => keys[chosen ?? 0]?.has(key));
  if (!name || !word || named.length > 1 || answer.words.some(({ norm }) => /^(not|than|neither)$/.test(norm)))
    return [];
  for (const other of offered) {
    if (other === name) continue;
    const decision = compareBy(context, readPair(context, [name, other]), found);
    if (decision?.winner === 1)
      return [createFinding("contradicted", { start: word.start, end: word.end }, decision.reason, decision.evidence)];
  }
  return [];
}
