/** What the API description has of a route in addition to its schemas. */
interface Operation {
  readonly operationId: string;
  readonly tags: readonly [Tag];
  readonly summary: string;
  readonly description?: string;
  /** Present where another key than the main one is asked for, or none. */
  readonly security?: readonly [] | readonly [{ readonly mcpToken: readonly string[] }];
}

export const tags = {
  Files: "Upload batch input, read and delete files.",
  Batches: "Run the requests of a file.",
  Chat: "Ask a model directly, under the limits of the tier.",
  Anthropic: "Anthropic's Messages API, over the same engines: requests are translated to chat completions and back.",
  Gemini: "Gemini's generateContent, its batches and files, over the same engines.",
  Models: "The models that requests may name.",
  MCP: "Verify responses with the tools of an MCP endpoint, which has a token of its own.",
  Control: "What only this server has: its clock, its faults, what it was asked, how it fares.",
} as const;
type Tag = keyof typeof tags;

const open = { security: [] } as const;

/** All routes, by method and path as the router has them. */
export const operations: Readonly<Record<string, Operation>> = {
  "POST /v1/files": {
    operationId: "createFile",
    tags: ["Files"],
    summary: "Upload a file",
    description:
      "The file is taken as it is, up to the size limit; what is inside is checked when a batch is made from it.",
  },
  "GET /v1/files": { operationId: "listFiles", tags: ["Files"], summary: "List files, newest first" },
  "GET /v1/files/:file_id": { operationId: "retrieveFile", tags: ["Files"], summary: "Read a file's record" },
  "DELETE /v1/files/:file_id": {
    operationId: "deleteFile",
    tags: ["Files"],
    summary: "Delete a file",
    description: "Fails with 409 while a batch that has not ended reads or writes it.",
  },
  "GET /v1/files/:file_id/content": {
    operationId: "downloadFile",
    tags: ["Files"],
    summary: "Download a file",
    description: "A range of bytes can be asked for with the header `range`; of several ranges the whole is sent.",
  },
  "POST /v1/batches": {
    operationId: "createBatch",
    tags: ["Batches"],
    summary: "Create a batch from an uploaded file",
    description:
      "It begins as `validating` and goes on by itself. A file with problems fails as a whole, with all of them. The header `x-sheaf-outcome` has it end as `failed`, `expired` or `cancelled`; a repeated `Idempotency-Key` gives the batch that is there.",
  },
  "GET /v1/batches": {
    operationId: "listBatches",
    tags: ["Batches"],
    summary: "List batches, newest first",
  },
  "GET /v1/batches/:batch_id": { operationId: "retrieveBatch", tags: ["Batches"], summary: "Read a batch" },
  "POST /v1/batches/:batch_id/cancel": {
    operationId: "cancelBatch",
    tags: ["Batches"],
    summary: "Cancel a batch",
    description:
      "Requests in flight are finished; answers that are there are kept. Fails with 409 for a batch that has ended.",
  },
  "POST /v1/chat/completions": {
    operationId: "createChatCompletion",
    tags: ["Chat"],
    summary: "Answer a conversation",
    description: "With `stream`, as server-sent events that end with `[DONE]`.",
  },
  "POST /v1/messages": {
    operationId: "createMessage",
    tags: ["Anthropic"],
    summary: "Answer a conversation",
    description:
      "With `stream`, as server-sent events. Any model may be named; what has no counterpart in a chat completion is refused by its name.",
  },
  "POST /v1/messages/count_tokens": {
    operationId: "countMessageTokens",
    tags: ["Anthropic"],
    summary: "Count the tokens of a prompt",
  },
  "POST /v1/messages/batches": {
    operationId: "createMessageBatch",
    tags: ["Anthropic"],
    summary: "Create a batch of a list of requests",
    description: "It runs as a batch of chat completions. A request with a problem is refused with all others.",
  },
  "GET /v1/messages/batches": {
    operationId: "listMessageBatches",
    tags: ["Anthropic"],
    summary: "List message batches, newest first",
  },
  "GET /v1/messages/batches/:message_batch_id": {
    operationId: "retrieveMessageBatch",
    tags: ["Anthropic"],
    summary: "Read a message batch",
  },
  "GET /v1/messages/batches/:message_batch_id/results": {
    operationId: "downloadMessageBatchResults",
    tags: ["Anthropic"],
    summary: "Download the results of a message batch that has ended",
  },
  "POST /v1/messages/batches/:message_batch_id/cancel": {
    operationId: "cancelMessageBatch",
    tags: ["Anthropic"],
    summary: "Cancel a message batch",
  },
  "DELETE /v1/messages/batches/:message_batch_id": {
    operationId: "deleteMessageBatch",
    tags: ["Anthropic"],
    summary: "Delete a message batch that has ended, with its results",
  },
  "POST /v1/completions": {
    operationId: "createCompletion",
    tags: ["Chat"],
    summary: "Continue a prompt",
    description: "Each prompt is answered as the message of a user is. What has no counterpart there is a 400.",
  },
  "POST /v1/responses": {
    operationId: "createResponse",
    tags: ["Chat"],
    summary: "Answer input items",
    description:
      "With `stream`, as server-sent events. It is stored, unless `store` is false, and can be gone on from with `previous_response_id`.",
  },
  "GET /v1/responses/:response_id": {
    operationId: "retrieveResponse",
    tags: ["Chat"],
    summary: "Read a stored response",
    description: "The newest 1,000 are stored, until the server ends.",
  },
  "GET /v1/responses/:response_id/input_items": {
    operationId: "listInputItems",
    tags: ["Chat"],
    summary: "List what a response was asked with",
  },
  "DELETE /v1/responses/:response_id": {
    operationId: "deleteResponse",
    tags: ["Chat"],
    summary: "Delete a stored response",
  },
  "POST /v1/embeddings": {
    operationId: "createEmbedding",
    tags: ["Chat"],
    summary: "Turn texts into vectors",
    description: "Of length 1, and the same each time. Texts that share words are closer to one another.",
  },
  "POST /v1/moderations": {
    operationId: "createModeration",
    tags: ["Chat"],
    summary: "Look texts through for what may harm",
    description: "The mock flags inputs by some of their words.",
  },
  "GET /v1beta/models": { operationId: "listGeminiModels", tags: ["Gemini"], summary: "List models" },
  "GET /v1beta/models/:model": { operationId: "retrieveGeminiModel", tags: ["Gemini"], summary: "Read a model" },
  "POST /v1beta/models/:model(^.+)::generateContent": {
    operationId: "generateContent",
    tags: ["Gemini"],
    summary: "Answer a conversation",
    description:
      "Any model may be named; what has no counterpart in a chat completion is refused by its name. Names may be as in Python (`generation_config`).",
  },
  "POST /v1beta/models/:model(^.+)::streamGenerateContent": {
    operationId: "streamGenerateContent",
    tags: ["Gemini"],
    summary: "Answer a conversation piece by piece",
    description: "With `alt=sse`, as server-sent events; without, as an array.",
  },
  "POST /v1beta/models/:model(^.+)::countTokens": {
    operationId: "countTokens",
    tags: ["Gemini"],
    summary: "Count the tokens of a prompt",
  },
  "POST /v1beta/models/:model(^.+)::embedContent": {
    operationId: "embedContent",
    tags: ["Gemini"],
    summary: "Turn a text into a vector",
  },
  "POST /v1beta/models/:model(^.+)::batchEmbedContents": {
    operationId: "batchEmbedContents",
    tags: ["Gemini"],
    summary: "Turn texts into vectors",
  },
  "POST /v1beta/models/:model(^.+)::batchGenerateContent": {
    operationId: "batchGenerateContent",
    tags: ["Gemini"],
    summary: "Create a batch of a list of requests, or of a file",
    description: "It runs as a batch of chat completions. A request with a problem is refused with all others.",
  },
  "GET /v1beta/batches": { operationId: "listGeminiBatches", tags: ["Gemini"], summary: "List batches, newest first" },
  "GET /v1beta/batches/:batch": { operationId: "retrieveGeminiBatch", tags: ["Gemini"], summary: "Read a batch" },
  "POST /v1beta/batches/:batch(^.+)::cancel": {
    operationId: "cancelGeminiBatch",
    tags: ["Gemini"],
    summary: "Cancel a batch",
  },
  "DELETE /v1beta/batches/:batch": {
    operationId: "deleteGeminiBatch",
    tags: ["Gemini"],
    summary: "Delete a batch that has ended, with its results",
  },
  "POST /upload/v1beta/files": {
    operationId: "uploadGeminiFile",
    tags: ["Gemini"],
    summary: "Upload a file",
    description:
      "In the resumable way: with `X-Goog-Upload-Command: start` it answers an address, to which the bytes are sent without a key.",
  },
  "GET /v1beta/files": { operationId: "listGeminiFiles", tags: ["Gemini"], summary: "List files, newest first" },
  "GET /v1beta/files/:file": { operationId: "retrieveGeminiFile", tags: ["Gemini"], summary: "Read a file's record" },
  "DELETE /v1beta/files/:file": { operationId: "deleteGeminiFile", tags: ["Gemini"], summary: "Delete a file" },
  "GET /v1beta/files/:file(^.+)::download": {
    operationId: "downloadGeminiFile",
    tags: ["Gemini"],
    summary: "Download a file, or the results of a batch",
  },
  "GET /download/v1beta/files/:file(^.+)::download": {
    operationId: "downloadGeminiMedia",
    tags: ["Gemini"],
    summary: "Download a file, or the results of a batch",
  },
  "GET /v1/models": { operationId: "listModels", tags: ["Models"], summary: "List models" },
  "GET /v1/models/*": { operationId: "retrieveModel", tags: ["Models"], summary: "Read a model" },
  "GET /v1/mcp/status": {
    operationId: "readMcpStatus",
    tags: ["MCP"],
    summary: "Read whether the MCP endpoint is enabled",
    description: "With its address and token while it is.",
  },
  "POST /v1/mcp/enable": {
    operationId: "enableMcp",
    tags: ["MCP"],
    summary: "Enable the MCP endpoint",
    description: "The token stays the same until it is rotated.",
  },
  "POST /v1/mcp/disable": {
    operationId: "disableMcp",
    tags: ["MCP"],
    summary: "Disable the MCP endpoint",
    description: "Its token is refused until the endpoint is enabled again.",
  },
  "POST /register": {
    operationId: "registerClient",
    tags: ["MCP"],
    summary: "Refuse to register an OAuth client: there is no OAuth here",
    ...open,
  },
  "GET /v1/mcp/.well-known/*": {
    operationId: "findAuthorizationServer",
    tags: ["MCP"],
    summary: "Refuse to name an OAuth server: there is none",
    ...open,
  },
  "POST /v1/mcp": {
    operationId: "callMcp",
    tags: ["MCP"],
    summary: "Call a tool",
    description:
      "Streamable HTTP of the Model Context Protocol, without sessions, for the revisions 2026-07-28, 2025-11-25 and older. The tools are `verify` and `verify_document`.",
    security: [{ mcpToken: [] }],
  },
  "GET /sheaf/clock": { operationId: "readClock", tags: ["Control"], summary: "Read the server's clock" },
  "POST /sheaf/clock": {
    operationId: "turnClock",
    tags: ["Control"],
    summary: "Turn the clock forward",
    description: "Answers when all that fell due on the way is done: windows that ended, files that expired.",
  },
  "GET /sheaf/faults": { operationId: "readFaults", tags: ["Control"], summary: "Read what goes wrong on purpose" },
  "PUT /sheaf/faults": {
    operationId: "setFaults",
    tags: ["Control"],
    summary: "Say what is to go wrong",
    description: "Replaces all of it: what is absent is off.",
  },
  "POST /sheaf/faults": {
    operationId: "addFaults",
    tags: ["Control"],
    summary: "Have the first requests of a kind fail",
    description: "Adds faults by count: all else stays, and so do counts that have some left.",
  },
  "DELETE /sheaf/faults": { operationId: "clearFaults", tags: ["Control"], summary: "Let nothing go wrong any more" },
  "GET /sheaf/rules": { operationId: "readRules", tags: ["Control"], summary: "Read the rules of the scope" },
  "PUT /sheaf/rules": {
    operationId: "setRules",
    tags: ["Control"],
    summary: "Set the rules of the scope",
    description: "Replaces all of them; their calls are counted from the start. No file is written.",
  },
  "POST /sheaf/rules": {
    operationId: "addRule",
    tags: ["Control"],
    summary: "Add a rule before the others",
    description: "The calls of the others are counted on.",
  },
  "DELETE /sheaf/rules": {
    operationId: "clearRules",
    tags: ["Control"],
    summary: "Have no rules in the scope",
    description: "The engine answers every call.",
  },
  "POST /sheaf/reset": {
    operationId: "resetScope",
    tags: ["Control"],
    summary: "Have the scope as it was at first",
    description:
      "Its rules and faults are those of the start again, its requests are cleared. Its batches are stopped, and removed with all files, where the server was started with `--ephemeral`; elsewhere they make this a 409. With `?all=true`, all scopes.",
  },
  "DELETE /sheaf/batches/:batch_id": {
    operationId: "deleteBatch",
    tags: ["Control"],
    summary: "Delete a batch that has ended",
    description:
      "Its output and error file go with it, and its input file where no other batch was made from that. A 409 while it runs, and where it was retried: its retries are deleted first.",
  },
  "GET /sheaf/requests": {
    operationId: "listRequests",
    tags: ["Control"],
    summary: "List the last requests, newest first",
    description:
      "The requests to `/v1` and to unknown paths, with every key masked. The server keeps 20,000 of all scopes. A page ends early where its bodies are large.",
  },
  "POST /sheaf/requests/search": {
    operationId: "searchRequests",
    tags: ["Control"],
    summary: "Find requests, newest first",
    description: "The requests that meet `where`: conditions of a rule's `match`, and `path`, `method` and `status`.",
  },
  "DELETE /sheaf/requests": { operationId: "clearRequests", tags: ["Control"], summary: "Forget the requests so far" },
  "GET /metrics": { operationId: "readMetrics", tags: ["Control"], summary: "Figures in the format of Prometheus" },
  "GET /health": { operationId: "readHealth", tags: ["Control"], summary: "Whether the server answers", ...open },
  "GET /openapi.json": {
    operationId: "readApiDescription",
    tags: ["Control"],
    summary: "Read this as OpenAPI 3.1",
    ...open,
  },
  "GET /docs": { operationId: "readDocs", tags: ["Control"], summary: "Read this as a page", ...open },
};

/** What a sample is made from. */
interface SampledCall {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** Whether no key is asked for. */
  readonly isOpen: boolean;
}

const chat = {
  model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
  messages: [{ role: "user", content: "How many days has a leap year?" }],
};

const message = { model: "claude-opus-5-5", messages: chat.messages };

const question = "How many days has a leap year?";
const contents = { contents: [{ parts: [{ text: question }] }] };

/** Bodies by operation: those that the tests send. */
const bodies: Readonly<Record<string, unknown>> = {
  createBatch: { input_file_id: "file-1", endpoint: "/v1/chat/completions", completion_window: "24h" },
  createChatCompletion: chat,
  createCompletion: { model: chat.model, prompt: question, max_tokens: 64 },
  createResponse: { model: chat.model, input: question },
  createEmbedding: { model: "text-embedding-3-small", input: question },
  createModeration: { input: question },
  createMessage: { ...message, max_tokens: 100 },
  countMessageTokens: message,
  generateContent: contents,
  streamGenerateContent: contents,
  countTokens: contents,
  embedContent: { content: contents.contents[0] },
  batchEmbedContents: { requests: [{ content: contents.contents[0] }] },
  batchGenerateContent: { batch: { inputConfig: { requests: { requests: [{ request: contents }] } } } },
  createMessageBatch: { requests: [{ custom_id: "question-1", params: { ...message, max_tokens: 100 } }] },
  turnClock: { advance: "24h" },
  setRules: { rules: [{ match: { last_user_message: { contains: "refund" } }, reply: { text: "Within 30 days." } }] },
  addRule: { match: { call: 1 }, reply: { error: { status: 503, retry_after: 1 } } },
  addFaults: { counts: [{ target: "uploads", first: 2, status: 503 }] },
  setFaults: { failure_rate: 0.05, statuses: [500, 503] },
  callMcp: {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "verify", arguments: { prompt: "How many days has a leap year?", response: "366" } },
  },
};

/** Ids in a path, as they look. */
const ids: Readonly<Record<string, string>> = {
  file_id: "file-1",
  batch_id: "batch_1",
  message_batch_id: "msgbatch_1",
  response_id: "resp_1",
  batch: "1",
  file: "1",
  model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
};

/** The call as a curl command, for bash. */
export function writeSample({ operationId, method, path, isOpen }: SampledCall): string {
  const parts = [`curl "$BASE${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name)}"`];
  if (method !== "GET" && !(method === "POST" && hasBody(operationId)))
    parts[0] = parts[0]?.replace("curl", `curl -X ${method}`) ?? "";
  if (!isOpen) parts.push(`-H "Authorization: Bearer $${operationId === "callMcp" ? "MCP_TOKEN" : "SHEAF_API_KEY"}"`);
  if (operationId === "createFile") parts.push("-F purpose=batch", "-F file=@batch.jsonl");
  if (operationId === "callMcp") parts.push('-H "Accept: application/json, text/event-stream"');
  const body = bodies[operationId];
  if (body !== undefined) parts.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`);
  return parts.join(" \\\n  ");
}

function hasBody(operationId: string): boolean {
  return operationId === "createFile" || operationId in bodies;
}
