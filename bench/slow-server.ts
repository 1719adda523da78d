/**
 * A chat-completion server that answers everything after so many milliseconds (its argument), and counts how many calls it
 * has at a time: `GET /counts`.
 */
import { createServer, type ServerResponse } from "node:http";

const latency = Number(process.argv[2] ?? 50);
const usage = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 };
const message = { role: "assistant", content: "The answer is 42." };
const choices = [{ index: 0, message, finish_reason: "stop" }];
const completion = { id: "chatcmpl-1", object: "chat.completion", created: 1, model: "any", choices, usage };
const body = Buffer.from(JSON.stringify(completion));
const counts = { now: 0, most: 0, all: 0 };

function answer(response: ServerResponse, content: Buffer): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": content.length });
  response.end(content);
}

const server = createServer((request, response) => {
  if (request.method === "GET") {
    answer(response, Buffer.from(JSON.stringify(counts)));
    counts.most = counts.now;
    counts.all = 0;
    return;
  }
  counts.now += 1;
  counts.all += 1;
  counts.most = Math.max(counts.most, counts.now);
  request.resume().once("end", () => {
    setTimeout(() => {
      counts.now -= 1;
      answer(response, body);
    }, latency);
  });
});

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}`, apiKey: "none" }));
});
process.once("SIGTERM", () => process.exit(0));
