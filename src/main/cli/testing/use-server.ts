import OpenAI from "openai";
import { mcpEnabledSchema } from "#contract";
import { readBatchLines } from "./batch-lines.ts";

/** The results of a run, and every answer of the server but those that issue the token. */
export interface ServerUse {
  readonly mcpTokens: readonly string[];
  readonly said: string;
}

/**
 * Uses a server as its clients do: a whole batch, direct calls, MCP with its token switched off and on, and calls with keys
 * that are wrong or in the wrong place.
 */
export async function useServer(url: string, apiKey: string): Promise<ServerUse> {
  const said: string[] = [];
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };

  async function ask(path: string, init: RequestInit = {}): Promise<string> {
    const response = await fetch(url + path, { ...init, headers: { ...bearer(apiKey), ...init.headers } });
    return `${JSON.stringify([...response.headers])}\n${await response.text()}`;
  }
  async function note(path: string, init: RequestInit = {}): Promise<void> {
    said.push(await ask(path, init));
  }

  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
  const file = await openai.files.create({
    file: new File([readBatchLines(20).join("\n")], "a.jsonl"),
    purpose: "batch",
  });
  let batch = await openai.batches.create({
    input_file_id: file.id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
  while (!batch.output_file_id || batch.status !== "completed") batch = await openai.batches.retrieve(batch.id);
  said.push(await (await openai.files.content(batch.output_file_id)).text());
  const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
  const chat = { model, messages: [{ role: "user", content: "Why?" }] };
  await note("/v1/chat/completions", { method: "POST", headers: json, body: JSON.stringify(chat) });

  const enable = async () => {
    const response = await fetch(`${url}/v1/mcp/enable`, { method: "POST", headers: bearer(apiKey) });
    return mcpEnabledSchema.parse(await response.json()).token;
  };
  const token = await enable();
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "verify", arguments: { prompt: "What is 2 + 2?", response: "2 + 2 = 5." } },
  };
  const calling = (key: string) => ({
    method: "POST",
    headers: { ...json, ...bearer(key) },
    body: JSON.stringify(call),
  });
  await note("/v1/mcp", calling(token));
  await note("/v1/mcp", calling(apiKey));
  await note("/v1/mcp", { ...calling(token), body: "{" });
  await note("/v1/mcp/disable", { method: "POST" });
  await note("/v1/mcp", calling(token));
  const again = await enable();

  await note("/v1/models", { headers: bearer(again) });
  await note("/v1/models", { headers: bearer(`${apiKey}x`) });
  await note("/v1/models", { headers: { authorization: apiKey } });
  await note(`/v1/nothing-here?key=${apiKey}`);
  await note("/v1/batches", {
    method: "POST",
    headers: json,
    body: JSON.stringify({ input_file_id: 1, api_key: apiKey }),
  });
  for (const path of ["/sheaf/requests?limit=1000", "/metrics", "/health", "/openapi.json"]) await note(path);
  return { mcpTokens: [token, again], said: said.join("\n") };
}
