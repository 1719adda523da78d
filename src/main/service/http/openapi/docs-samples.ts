/** What a sample is made from. */
export interface SampledCall {
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

/** Bodies by operation: those that the tests send. */
const bodies: Readonly<Record<string, unknown>> = {
  createBatch: { input_file_id: "file-1", endpoint: "/v1/chat/completions", completion_window: "24h" },
  createChatCompletion: chat,
  turnClock: { advance: "24h" },
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
