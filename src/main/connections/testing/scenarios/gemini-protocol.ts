import { z } from "zod";
import { fail, type Line } from "./kinds.ts";
import type { Answered } from "./line-behaviour.ts";
import { readText } from "./openai-protocol.ts";
import { type Action, type BatchView, countPrompt, type Protocol, reply } from "./protocol.ts";

/*
 * The wire of Gemini's calls, files and batches, written from `@google/genai` (batches, files) and
 * https://ai.google.dev/api/batch-api; a list as it is on the wire, in flachesis/gemini-rust pull request 13.
 */

const contentSchema = z.looseObject({ parts: z.unknown().optional() });
const callSchema = z.looseObject({
  contents: z.array(contentSchema).min(1),
  systemInstruction: contentSchema.optional(),
});
const lineSchema = z.looseObject({ key: z.string(), request: callSchema });
const createSchema = z.looseObject({
  batch: z.looseObject({
    displayName: z.string().optional(),
    inputConfig: z.looseObject({ fileName: z.string().optional() }),
  }),
});

function toLine({ contents, systemInstruction }: z.infer<typeof callSchema>, model: string, id?: string): Line {
  const texts = contents.map(({ parts }) => readText(parts));
  const question = texts.at(-1) ?? "";
  return { id: id ?? question, question, model, size: [readText(systemInstruction?.parts), ...texts].join("").length };
}

/** Gemini's own words; others are written the same way. */
const words: Readonly<Record<string, string>> = { in_progress: "RUNNING", completed: "SUCCEEDED" };
const ended = ["completed", "failed", "cancelled", "expired"];

/** The protocol; it takes one key. */
export function createGeminiProtocol(key: string): Protocol {
  const refuse = (status: number, message: string): Action => reply(fail("gemini", status, message));

  function showBatch({ id, model, file, mark, word, createdAt, endedAt, total, counts, files }: BatchView) {
    const name = `batches/${id}`;
    const written = counts && {
      requestCount: counts.total,
      successfulRequestCount: counts.completed,
      failedRequestCount: counts.failed + counts.expired + counts.canceled,
      pendingRequestCount: endedAt === null ? total : 0,
    };
    // Counts that are 0 are left out, but where all are.
    const stats = Object.entries(written ?? {}).filter(([, count]) => count !== 0 || counts?.total === 0);
    const output = files.output === null ? {} : { output: { responsesFile: files.output && `files/batch-${id}` } };
    return {
      name,
      metadata: {
        "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch",
        name,
        model: `models/${model}`,
        ...(typeof mark === "string" ? { displayName: mark } : {}),
        state: `BATCH_STATE_${words[word] ?? word.toUpperCase()}`,
        createTime: new Date(createdAt).toISOString(),
        updateTime: new Date(endedAt ?? createdAt).toISOString(),
        ...(endedAt === null ? {} : { endTime: new Date(endedAt).toISOString() }),
        ...(file === null ? {} : { inputConfig: { fileName: file } }),
        ...(counts && { batchStats: Object.fromEntries(stats.map(([which, count]) => [which, String(count)])) }),
        ...output,
      },
      // Only a known end is an end of the operation: an unknown word is all there is to go by.
      ...(ended.includes(word) ? { done: true } : {}),
      ...(word === "failed" ? { error: { code: 13, message: "Internal error encountered." } } : {}),
    };
  }

  return {
    family: "gemini",
    path: "",
    hasErrorFile: false,
    read({ method, path: asked, query, headers, body }, files) {
      // The vendor serves v1 and v1beta alike; its client uses v1 since version 3.1.
      const path = asked.replace(/^\/((?:upload\/|download\/)?)v1\//, "/$1v1beta/");
      if (path.startsWith("/put-here")) {
        const name = `files/${files.add(body).replace("file-", "f")}`;
        files.set(name, body);
        const file = { name, sizeBytes: String(body.length), mimeType: "application/jsonl", state: "ACTIVE" };
        return reply({ headers: { "x-goog-upload-status": "final" }, body: { file } });
      }
      if (headers["x-goog-api-key"] !== key) return refuse(400, "API key not valid. Please pass a valid API key.");
      if (path === "/upload/v1beta/files") {
        const place = `http://${headers.host}/put-here`;
        return reply({ headers: { "x-goog-upload-url": place, "x-goog-upload-status": "active" }, body: {} });
      }
      if (path === "/v1beta/models") return { do: "models" };
      const [, model = "", act] = /^\/v1beta\/models\/(.+):(\w+)$/.exec(path) ?? [];
      if (act !== undefined && method !== "POST") return refuse(405, "Method not allowed.");
      const parsed = (): unknown => JSON.parse(body.toString("utf8"));
      if (act === "batchGenerateContent") {
        const { displayName: mark, inputConfig } = createSchema.parse(parsed()).batch;
        const file = inputConfig.fileName ?? "";
        const lines = files.get(file)?.toString("utf8").split("\n").filter(Boolean);
        if (lines === undefined) return refuse(400, "no such file");
        const read = lines.map((line) => lineSchema.parse(JSON.parse(line)));
        return { do: "create", lines: read.map(({ key: id, request }) => toLine(request, model, id)), file, mark };
      }
      if (act === "generateContent" || act === "streamGenerateContent") {
        const { data, error } = callSchema.safeParse(parsed());
        if (data === undefined) return refuse(400, error.message);
        return { do: "call", line: toLine(data, model), isStream: act === "streamGenerateContent", hasUsage: true };
      }
      const results = /^\/(?:download\/)?v1beta\/files\/batch-([\w-]+):download$/.exec(path)?.[1];
      if (results !== undefined) return { do: "results", id: results, file: "output" };
      const sent = /^\/(?:download\/)?v1beta\/(files\/[\w-]+)(:download)?$/.exec(path);
      const content = files.get(sent?.[1] ?? "");
      if (content !== undefined) return reply({ body: sent?.[2] === undefined ? { name: sent?.[1] } : content });
      const [isBatch, id, cancels] = /^\/v1beta\/batches(?:\/([\w-]+))?(?::(cancel))?$/.exec(path) ?? [];
      if (isBatch === undefined) return refuse(404, "Requested entity was not found.");
      if (id !== undefined) return { do: cancels === undefined ? "show" : "cancel", id };
      if (method !== "GET") return refuse(404, "Requested entity was not found.");
      return { do: "list", limit: Number(query.get("pageSize") ?? 50), after: query.get("pageToken") };
    },
    showBatch,
    showCreated: showBatch,
    showList: (views, hasMore) => ({
      operations: views.map(showBatch),
      ...(hasMore ? { nextPageToken: views.at(-1)?.id } : {}),
    }),
    showModels: (names) => ({
      models: names.map((name) => ({
        name: `models/${name}`,
        supportedGenerationMethods: ["generateContent", "batchGenerateContent"],
      })),
    }),
    placeOf: (id) => `/v1beta/batches/${id}`,
    writeSent: ({ id, question: text }) => ({ key: id, request: { contents: [{ role: "user", parts: [{ text }] }] } }),
    writeRow(line, content) {
      if (content.what === "answer")
        return { key: line.id, response: writeAnswer(line, content.text, content.outcome) };
      if (content.what === "expired") return { key: line.id, error: { code: 4, message: "Deadline exceeded." } };
      if (content.what === "canceled") return { key: line.id, error: { code: 1, message: "Cancelled." } };
      const { error } = z.looseObject({ error: z.unknown() }).parse(content.outcome.body);
      return { key: line.id, error };
    },
    writeAnswer,
    writeEvents,
  };
}

function writeAnswer(line: Line, text: string, { finish = "STOP", promptTokens, ...outcome }: Answered) {
  const own = outcome.text === undefined ? text : outcome.text;
  const content = { role: "model", ...(own === null ? {} : { parts: [{ text: own }] }) };
  const prompt = countPrompt(line, promptTokens);
  return {
    candidates: [{ content, ...(finish === null ? {} : { finishReason: finish }), index: 0, ...outcome.message }],
    usageMetadata: { promptTokenCount: prompt, candidatesTokenCount: 3, totalTokenCount: prompt + 3 },
    modelVersion: line.model,
    responseId: "r-1",
    ...outcome.choice,
  };
}

/** The answer in two events, of which only the second has the finish reason. */
function writeEvents(answer: Record<string, unknown>): string {
  const candidates = z
    .array(z.looseObject({ content: z.looseObject({ parts: z.unknown().optional() }) }))
    .optional()
    .parse(answer.candidates);
  const [first] = candidates ?? [];
  const text = readText(first?.content.parts);
  const half = Math.floor(text.length / 2);
  const toEvent = (piece: string, isLast: boolean) => {
    const content = { role: "model", parts: [{ text: piece }] };
    return { ...answer, candidates: [isLast ? { ...first, content } : { content, index: 0 }] };
  };
  const events = text === "" ? [answer] : [toEvent(text.slice(0, half), false), toEvent(text.slice(half), true)];
  return events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join("");
}
