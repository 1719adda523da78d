// What each test does with a server: a call, a batch to its end, a verification over MCP, and what the helper itself asks.
import { request } from "node:http";
import { text } from "node:stream/consumers";

/** Not by fetch, which the suites of these tests replace. */
export function call(sheaf, method, path, body, headers = {}) {
  return new Promise((resolve, reject) => {
    const given = { authorization: `Bearer ${sheaf.apiKey}`, "content-type": "application/json", ...headers };
    const sent = request(sheaf.url + path, { method, headers: given, agent: false }, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode, text: answer }), reject);
    });
    sent.once("error", reject);
    sent.end(typeof body === "object" ? JSON.stringify(body) : body);
  });
}

async function callJson(...args) {
  const { status, text: answer } = await call(...args);
  if (status !== 200) throw new Error(`${status}: ${answer}`);
  return JSON.parse(answer);
}

const body = { model: "deepseek-ai/DeepSeek-R1", messages: [{ role: "user", content: "Why?" }] };

export async function tryOut(sheaf) {
  const { choices } = await callJson(sheaf, "POST", "/v1/chat/completions", body);
  const line = JSON.stringify({ custom_id: "a", method: "POST", url: "/v1/chat/completions", body });
  const form = [
    '--x\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nbatch',
    `--x\r\ncontent-disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n${line}`,
    "--x--\r\n",
  ].join("\r\n");
  const type = { "content-type": "multipart/form-data; boundary=x" };
  const { id } = await callJson(sheaf, "POST", "/v1/files", form, type);
  const wanted = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" };
  let batch = await callJson(sheaf, "POST", "/v1/batches", wanted);
  for (let polls = 0; polls < 2_000 && batch.status !== "completed"; polls += 1) {
    batch = await callJson(sheaf, "GET", `/v1/batches/${batch.id}`);
  }
  const { token } = await callJson(sheaf, "POST", "/v1/mcp/enable");
  const verify = { name: "verify", arguments: { prompt: "What is 2 + 2?", response: "2 + 2 = 5." } };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: verify };
  const accept = "application/json, text/event-stream";
  const { result } = await callJson(sheaf, "POST", "/v1/mcp", message, { accept, authorization: `Bearer ${token}` });
  await sheaf.waitForRequest({ path: "/v1/nowhere" }, { timeout: 20 }).catch(() => undefined);
  const requests = await sheaf.requests({ path: "/v1/chat" });
  return {
    answer: typeof choices[0].message.content,
    batch: batch.status,
    isHallucination: result?.structuredContent?.is_hallucination,
    requests: requests.length,
  };
}

export const asExpected = { answer: "string", batch: "completed", isHallucination: true, requests: 1 };
