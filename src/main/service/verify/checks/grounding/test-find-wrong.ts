import { readText } from "../../text/index.ts";
import type { Finding, Reading } from "../../types.ts";
import { checkGrounding } from "./check-grounding.ts";
import { type Part, readContext } from "./context.ts";

/** What the check finds wrong: where the passage is the document, and where it stands in the prompt. */
export function findWrong(passage: string, question: string, response: string): readonly (readonly string[])[] {
  return findIn(checkGrounding, passage, question, response);
}

/** The same by one part of the check. */
export function findWrongBy(
  part: Part,
  passage: string,
  question: string,
  response: string,
): readonly (readonly string[])[] {
  const check = (reading: Reading): readonly Finding[] => {
    const context = readContext(reading);
    return context === null ? [] : part(context);
  };
  return findIn(check, passage, question, response);
}

function findIn(
  check: (reading: Reading) => readonly Finding[],
  passage: string,
  question: string,
  response: string,
): readonly (readonly string[])[] {
  const asDocument = { prompt: readText("prompt", question), document: readText("document", passage) };
  const asPrompt = { prompt: readText("prompt", `${passage}\n\n${question}`), document: null };
  return [asDocument, asPrompt].map((reading) =>
    check({ ...reading, response: readText("response", response) })
      .filter(({ verdict }) => verdict === "contradicted")
      .map(({ reason }) => reason),
  );
}
