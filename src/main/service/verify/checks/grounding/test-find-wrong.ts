import { readText } from "../../text/index.ts";
import { checkGrounding } from "./check-grounding.ts";

/** What the check finds wrong: where the passage is the document, and where it stands in the prompt. */
export function findWrong(passage: string, question: string, response: string): readonly (readonly string[])[] {
  const asDocument = { prompt: readText("prompt", question), document: readText("document", passage) };
  const asPrompt = { prompt: readText("prompt", `${passage}\n\n${question}`), document: null };
  return [asDocument, asPrompt].map((reading) =>
    checkGrounding({ ...reading, response: readText("response", response) })
      .filter(({ verdict }) => verdict === "contradicted")
      .map(({ reason }) => reason),
  );
}
