import type { McpServer } from "@modelcontextprotocol/server";

const verdictsUri = "sheaf://verdicts";

/** What there is to read about the tools, and what a person may ask of a model that has them. */
export function addGuide(server: McpServer): void {
  server.registerResource(
    "verdicts",
    verdictsUri,
    { title: "What the verdicts mean", description: "How to read a result of the tools.", mimeType: "text/markdown" },
    () => ({ contents: [{ uri: verdictsUri, mimeType: "text/markdown", text: verdicts }] }),
  );
  server.registerPrompt(
    "check_last_answer",
    {
      title: "Check your last answer",
      description: "Has the model verify the answer that it has just given, and mend what does not hold.",
    },
    () => ({ messages: [{ role: "user", content: { type: "text", text: checkLastAnswer } }] }),
  );
}

const verdicts = `# What the verdicts mean

| verdict | what it says | what to do |
| --- | --- | --- |
| \`supported\` | The evidence bears the claim out. | Rely on it as far as you rely on the evidence. |
| \`contradicted\` | The evidence says otherwise; or, with a document, a claim that could be checked has no support in it. | Mend the claim, or take it out. |
| \`not_checkable\` | No text that was given can settle it. | It may be true or false: look it up elsewhere. |

\`is_hallucination\` is true where a claim is contradicted. Spans count UTF-16 units, as JavaScript does: \`[start, end)\` of the
prompt, the document or the response. When nothing could be checked, the first words of \`explanation\` say so.
`;

const checkLastAnswer = `Verify the last answer that you gave me. Call the tool \`verify\` with my question as \`prompt\`, whole, and your
answer as \`response\`, whole; where a document was part of the question, call \`verify_document\` with its text as
\`documentContent\`. Then list each claim that is contradicted with its evidence, and give me the answer again without them. Say
which claims could not be checked.`;
