/**
 * The least that an answer over HTTP costs: node:http and nothing else. Its argument is a JSON object of bodies by path.
 * The body of a POST with JSON is read to its end and parsed; an upload is written to a file as it comes, form and all.
 */
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";

const answers = z.record(z.string(), z.string()).parse(JSON.parse(process.argv[2] ?? "{}"));
const bodies = new Map(Object.entries(answers).map(([path, text]) => [path, Buffer.from(text)]));
const folder = await mkdtemp(join(tmpdir(), "sheaf-bench-"));
const uploads = "/v1/files";

const server = createServer((request, response) => {
  const { method, url = "" } = request;
  if (method !== "POST") {
    answer(response, url);
  } else if (url === uploads) {
    keep(request).then(
      () => answer(response, url),
      () => response.destroy(),
    );
  } else {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      JSON.parse(Buffer.concat(chunks).toString());
      answer(response, url);
    });
  }
});

function keep(request: IncomingMessage): Promise<void> {
  return pipeline(request, createWriteStream(join(folder, "upload")));
}

function answer(response: ServerResponse, path: string): void {
  const body = bodies.get(path) ?? Buffer.from("{}");
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": body.length });
  response.end(body);
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}`, apiKey: "none" }));
});
process.once("SIGTERM", () => {
  rm(folder, { recursive: true }).then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
