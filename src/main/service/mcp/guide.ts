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
      description: "Has the model verify the answer that it has just given, and correct what does not hold.",
    },
    () => ({ messages: [{ role: "user", content: { type: "text", text: checkLastAnswer } }] }),
  );
}

const verdicts = `# What the verdicts mean

| verdict | what it says | what to do |
| --- | --- | --- |
| \`contradicted\` | The evidence says otherwise, or a sum, unit, count or format comes out wrong. | Correct the claim, or take it out. |
| \`not_found\` | The document doesn't have a number, date, name or quotation of the claim. | Look it up elsewhere, or take it out. |
| \`supported\` | The details of the claim stand together in one passage. | Rely on it as far as you rely on the evidence. |
| \`not_checkable\` | Nothing in it can be looked up. | It may be true or false. |

\`is_hallucination\` is true where a claim is contradicted; with \`strict\` also where one is not found. Spans count UTF-16 units, as JavaScript does: \`[start, end)\` of the
prompt, the document or the response. When nothing could be checked, the first words of \`explanation\` say so.
`;

const checkLastAnswer = `Verify the last answer that you gave me. Call the tool \`verify\` with my question as \`prompt\`, whole, and your
answer as \`response\`, whole; where a document was part of the question, call \`verify_document\` with its text as
\`documentContent\`. Then list each claim that is contradicted with its evidence, and give me the answer again without them. Say
which claims could not be checked.`;
