import type { z } from "zod";
import { batchLineSchema, createBatchRequestSchema, generateRequestSchema } from "#main/requests";
import type { BatchOperation } from "../../requests/vendors/gemini-batch-wire.ts";
import type { GenerateAnswer } from "../../requests/vendors/gemini-wire.ts";
import { type Received, type Reply, type StandIn, startStandIn } from "./stand-in.ts";

interface Batch {
  readonly name: string;
  readonly model: string;
  readonly displayName: string;
  readonly fileName: string;
  readonly lines: readonly z.infer<typeof batchLineSchema>[];
  state: string;
  responsesFile: string | null;
}

/** A stand-in for Gemini's single calls, batches and file API, as `@google/genai` asks them. */
export interface GeminiService extends StandIn {
  readonly batches: readonly { readonly id: string; readonly lines: number }[];
  /** Answers every line of all batches and ends them; lines for which `fails` is true have an error. */
  end(fails?: (key: string) => boolean): void;
}

/** Starts it; it takes one key. */
export async function startGeminiService(key: string): Promise<GeminiService> {
  const files = new Map<string, Buffer>();
  const batches: Batch[] = [];
  const addFile = (content: Buffer): string => {
    const name = `files/f${files.size + 1}`;
    files.set(name, content);
    return name;
  };

  const show = ({ name, model, displayName, fileName, lines, state, responsesFile }: Batch): BatchOperation => ({
    name,
    metadata: {
      name,
      "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch",
      model: `models/${model}`,
      displayName,
      state,
      createTime: "2026-11-06T00:53:20Z",
      updateTime: "2026-11-06T00:53:20Z",
      inputConfig: { fileName },
      batchStats: toStats(lines.length, responsesFile !== null),
      ...(responsesFile === null ? {} : { output: { responsesFile }, endTime: "2026-11-06T00:54:20Z" }),
    },
    done: responsesFile !== null,
  });

  const refuse = (status: number, message: string): Reply => ({
    status,
    body: { error: { code: status, message, status: "INVALID_ARGUMENT" } },
  });

  function upload({ path, headers, body }: Received): Reply | null {
    if (path.startsWith("/upload/v1beta/files")) {
      const location = `http://${headers.host}/put-here`;
      return { headers: { "x-goog-upload-url": location, "x-goog-upload-status": "active" }, body: {} };
    }
    if (path.startsWith("/put-here")) {
      const name = addFile(body);
      const file = { name, sizeBytes: String(body.length), mimeType: "application/jsonl", state: "ACTIVE" };
      return { headers: { "x-goog-upload-status": "final" }, body: { file } };
    }
    return null;
  }

  function create(model: string, body: Buffer): Reply {
    const { batch } = createBatchRequestSchema.parse(JSON.parse(body.toString("utf8")));
    const { displayName = "", inputConfig } = batch;
    const { fileName = "" } = inputConfig;
    const content = files.get(fileName);
    if (content === undefined) return refuse(400, "no such file");
    const lines = content.toString("utf8").split("\n").filter(Boolean);
    const created: Batch = {
      name: `batches/b${batches.length + 1}`,
      model,
      displayName,
      fileName,
      lines: lines.map((line) => batchLineSchema.parse(JSON.parse(line))),
      state: "BATCH_STATE_PENDING",
      responsesFile: null,
    };
    batches.push(created);
    return { body: show(created) };
  }

  const standIn = await startStandIn((received) => {
    // The vendor serves v1 and v1beta alike; its client uses v1 since version 3.1.
    const path = received.path.replace(/^\/((?:upload\/|download\/)?)v1\//, "/$1v1beta/");
    const request = { ...received, path };
    const { method, headers } = request;
    const uploaded = upload(request);
    if (path.startsWith("/put-here")) return uploaded ?? refuse(404, "no such path");
    if (headers["x-goog-api-key"] !== key) return refuse(400, "API key not valid. Please pass a valid API key.");
    if (uploaded !== null) return uploaded;
    const model = /^\/v1beta\/models\/(.+):batchGenerateContent$/.exec(path)?.[1];
    if (method === "POST" && model !== undefined) return create(model, request.body);
    const [, called, way] = /^\/v1beta\/models\/(.+):(generateContent|streamGenerateContent)$/.exec(path) ?? [];
    if (called !== undefined) return generate(called, way === "streamGenerateContent", request.body);
    if (path === "/v1beta/models") return { body: { models: [{ name: "models/gemini-2.5-flash" }] } };
    if (path === "/v1beta/batches") return { body: { operations: batches.toReversed().map(show) } };
    const file = /^\/(?:download\/)?v1beta\/(files\/\w+):download$/.exec(path)?.[1];
    const content = files.get(file ?? "");
    if (content !== undefined) return { body: content };
    const [, name, act] = /^\/v1beta\/(batches\/\w+)(?::(cancel))?$/.exec(path) ?? [];
    const batch = batches.find((other) => other.name === name);
    if (batch === undefined) return refuse(404, "no such path");
    if (act === "cancel") batch.state = "BATCH_STATE_CANCELLED";
    return { body: act === "cancel" ? {} : show(batch) };
  });

  return {
    ...standIn,
    get batches() {
      return batches.map(({ name, lines }) => ({ id: name, lines: lines.length }));
    },
    end(fails = () => false) {
      for (const batch of batches.filter(({ responsesFile }) => responsesFile === null)) {
        const results = batch.lines
          .toReversed()
          .map(({ key: own }) =>
            fails(own)
              ? { key: own, error: { code: 8, message: "Resource exhausted", status: "RESOURCE_EXHAUSTED" } }
              : { key: own, response: respond(own, batch.model) },
          );
        batch.responsesFile = addFile(Buffer.from(results.map((result) => `${JSON.stringify(result)}\n`).join("")));
        batch.state = "BATCH_STATE_SUCCEEDED";
      }
    },
  };
}

/** Its own API leaves out counts that are 0. */
function toStats(lines: number, isOver: boolean): BatchOperation["metadata"]["batchStats"] {
  const count = String(lines);
  return { requestCount: count, ...(isOver ? { successfulRequestCount: count } : { pendingRequestCount: count }) };
}

/** Answers the last turn; as a stream in two events, of which only the second has the finish reason. */
function generate(model: string, streamed: boolean, body: Buffer): Reply {
  const { contents } = generateRequestSchema.parse(JSON.parse(body.toString("utf8")));
  const question = (contents.at(-1)?.parts ?? []).map(({ text = "" }) => text).join("");
  const whole = respond(question, model);
  if (!streamed) return { body: whole };
  const text = `answer to ${question}`;
  const { usageMetadata } = whole;
  const events = [text.slice(0, 6), text.slice(6)].map((piece, at) => {
    const content = { role: "model", parts: [{ text: piece }] };
    const candidate = { content, index: 0, ...(at === 0 ? {} : { finishReason: "STOP" }) };
    return { ...whole, candidates: [candidate], usageMetadata: at === 0 ? { promptTokenCount: 5 } : usageMetadata };
  });
  return {
    headers: { "content-type": "text/event-stream" },
    body: events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(""),
  };
}

function respond(key: string, model: string): GenerateAnswer {
  return {
    candidates: [{ content: { role: "model", parts: [{ text: `answer to ${key}` }] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 3, thoughtsTokenCount: 2, totalTokenCount: 10 },
    modelVersion: model,
    responseId: `r-${key}`,
  };
}
