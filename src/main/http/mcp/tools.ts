import { type CallToolResult, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type VerifyInput, verifyInputSchema, verifyResultSchema } from "#contract";
import type { Logger } from "#main/base";
import type { Verifier } from "#main/judging";

export interface ToolDeps {
  readonly verifier: Verifier;
  readonly logger: Logger;
}

const { prompt, response, strict, form } = verifyInputSchema.shape;
const verifyArguments = z.strictObject({
  prompt: prompt.describe("What was asked, whole, with any passage that the response had to go by."),
  response: response.describe("The response to check, whole, as it was given."),
  strict: strict.describe("Whether `is_hallucination` is also true where something is not in the document."),
  form: form.describe("Whether the form that the prompt asks for (sentences, words, format) is checked; default true."),
});
const verifyDocumentArguments = verifyArguments.extend({
  documentContent: prompt.describe("The text of the document that the response has to go by."),
});

const instructions =
  "Checks whether a response to a prompt holds, claim by claim, with the parts of the texts that each verdict stands on. " +
  "Call `verify_document` when there is a document to check against, `verify` otherwise. Nothing is looked up on a network: " +
  "what neither the prompt nor the document can settle is `not_checkable`, which is not the same as true.";

const resultMeaning =
  "Answers with `is_hallucination`, an `explanation` in a sentence or two, `counts` of the verdicts and of instructions about " +
  "the form that were kept or broken, and `claims`: each sentence of the response with " +
  "its verdict (`contradicted`, `not_found`, `supported` or `not_checkable`), its findings with a reason each, and the spans " +
  "of the texts that they stand on; a sentence that could not be checked has the passage that is `nearest` to it, with the words that differ.";

/** The same for every tool: they read what they are given, and nothing else. */
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

/** Nothing that is listed changes while a server runs: a client may keep it for an hour. */
const unchanging = { listChanged: false };
const cacheHint = { ttlMs: 3_600_000, cacheScope: "private" } as const;
const cacheable = [
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
] as const;

/** Clients of the older revisions set a level as a matter of course; there is nothing that they could miss by it. */
const logging = {};

/** A server with the tools, for one exchange with a client of 2026-07-28 (`current`) or of a revision before it. */
export function createToolServer(parts: ToolDeps, era: "current" | "legacy"): McpServer {
  const server = new McpServer(
    { name: "sheaf", title: "Sheaf", version: "1" },
    {
      instructions,
      capabilities: {
        tools: unchanging,
        prompts: unchanging,
        resources: unchanging,
        ...(era === "legacy" && { logging }),
      },
      cacheHints: Object.fromEntries(cacheable.map((method) => [method, cacheHint])),
    },
  );

  server.registerTool(
    "verify",
    {
      title: "Verify a response",
      description: `Check a response against the prompt it answers: sums, units, the instructions and the passage in the prompt. ${resultMeaning}`,
      inputSchema: verifyArguments,
      outputSchema: verifyResultSchema,
      annotations,
    },
    (given, context) => verify(parts, { ...given, document: null }, context),
  );
  server.registerTool(
    "verify_document",
    {
      title: "Verify a response against a document",
      description: `Check a response against a document: its numbers, dates and quotations are looked up there. What the document doesn't have is \`not_found\`; it is \`contradicted\` only where the document says otherwise. ${resultMeaning}`,
      inputSchema: verifyDocumentArguments,
      outputSchema: verifyResultSchema,
      annotations,
    },
    ({ documentContent, ...given }, context) => verify(parts, { ...given, document: documentContent }, context),
  );
  addGuide(server);
  return server;
}

async function verify(
  { verifier, logger }: ToolDeps,
  input: VerifyInput,
  { mcpReq: request }: ServerContext,
): Promise<CallToolResult> {
  const { signal } = request;
  try {
    const result = await verifier.verify(input, { signal, onProgress: createProgress(request) });
    return { structuredContent: result, content: [{ type: "text", text: JSON.stringify(result) }] };
  } catch (error) {
    if (signal.aborted) throw error;
    const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
    logger.error("verification failed", { error: details });
    const text = "The response could not be verified: a fault of the server. Its log has the details.";
    return { isError: true, content: [{ type: "text", text }] };
  }
}

/** Reports to the client how far a call has come, where it asked for that: at most once for each percent, and only forward. */
function createProgress({ _meta, notify }: ServerContext["mcpReq"]): (done: number, total: number) => void {
  const progressToken = _meta?.progressToken;
  let last = -1;
  return (done, total) => {
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    if (progressToken === undefined || percent <= last) return;
    last = percent;
    const message = `Judged ${done} of ${total} claims`;
    const params = { progressToken, progress: percent, total: 100, message };
    // A client that has gone hears nothing, and needs nothing.
    notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

const verdictsUri = "sheaf://verdicts";

/** What there is to read about the tools, and what a person may ask of a model that has them. */
function addGuide(server: McpServer): void {
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
| \`not_found\` | The document doesn't have a number, date or quotation of the claim. | Look it up elsewhere, or take it out. |
| \`supported\` | The details of the claim stand together in one passage. | Rely on it as far as you rely on the evidence. |
| \`not_checkable\` | Nothing in it can be looked up. | It may be true or false. |

\`is_hallucination\` is true where a claim is contradicted; with \`strict\` also where one is not found. Spans count UTF-16 units, as JavaScript does: \`[start, end)\` of the
prompt, the document or the response. When nothing could be checked, the first words of \`explanation\` say so.
`;

const checkLastAnswer = `Verify the last answer that you gave me. Call the tool \`verify\` with my question as \`prompt\`, whole, and your
answer as \`response\`, whole; where a document was part of the question, call \`verify_document\` with its text as
\`documentContent\`. Then list each claim that is contradicted with its evidence, and give me the answer again without them. Say
which claims could not be checked.`;
