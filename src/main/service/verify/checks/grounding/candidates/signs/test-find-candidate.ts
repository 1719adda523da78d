import { readText } from "../../../../text/index.ts";
import { type Context, readContext } from "../../context.ts";
import { type Candidate, readCandidates } from "../read-candidates.ts";

/** For tests: the candidate of a passage that has a word, with the question that it is held against. */
export function findCandidate(
  passage: string,
  question: string,
  word: string,
): { readonly context: Context; readonly candidate: Candidate } {
  const prompt = readText("prompt", `${passage}\n\n${question}`);
  const context = readContext({ prompt, response: readText("response", "It is so."), document: null });
  if (context === null) throw new Error("There is no passage.");
  const { words } = context.evidence;
  const candidate = readCandidates(context.evidence.passage).find(({ mentions }) =>
    mentions.some(({ from, to }) => words.slice(from, to).some(({ raw }) => raw === word)),
  );
  if (candidate === undefined) throw new Error(`${word} is no candidate.`);
  return { context, candidate };
}
