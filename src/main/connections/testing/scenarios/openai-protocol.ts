import { z } from "zod";
import type { Received } from "../stand-in.ts";
import { fail, type Kind, type Line } from "./kinds.ts";
import type { Answered } from "./line-behaviour.ts";
import { type Action, type BatchView, countPrompt, type Protocol, reply, type SentFiles } from "./protocol.ts";

/*
 * The wire of OpenAI and of services that speak its language, written from the types of `openai`, `groq-sdk` and
 * `together-ai` (resources/batches, resources/files, lib/upload) and platform.openai.com/docs/guides/batch.
 */

const partsSchema = z.array(z.looseObject({ text: z.string().optional() }));
const callSchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ content: z.unknown() })).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
});
const lineSchema = z.looseObject({ custom_id: z.string(), body: callSchema });
const createSchema = z.looseObject({ input_file_id: z.string(), metadata: z.unknown().optional() });

/** The text of a turn. */
export function readText(content: unknown): string {
  if (typeof content === "string") return content;
  return (partsSchema.safeParse(content).data ?? []).map(({ text = "" }) => text).join("");
}

function toLine({ model, messages }: z.infer<typeof callSchema>, id?: string): Line {
  const texts = messages.map(({ content }) => readText(content));
  const question = texts.at(-1) ?? "";
  return { id: id ?? question, question, model, size: texts.join("").length };
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);

/** The protocol of OpenAI, Groq, Azure, Together, or of a chat server without batches; it takes one key. */
export function createOpenaiProtocol(kind: Exclude<Kind, "anthropic" | "gemini">, key: string): Protocol {
  const isTogether = kind === "together";
  const path = { openai: "/v1", together: "/v1", chat: "/v1", azure: "/openai/v1", groq: "" }[kind];
  const root = kind === "groq" ? "/openai/v1" : path;
  const refuse = (status: number, message: string): Action => reply(fail("openai", status, message));

  async function upload(request: Received, files: SentFiles): Promise<Action> {
    if (isTogether) {
      if (request.query.get("purpose") !== "batch-api") return refuse(400, "unknown purpose");
      const id = files.add(Buffer.alloc(0));
      const location = `http://${request.headers.host}/signed/${id}`;
      return reply({ status: 302, headers: { location, "x-together-file-id": id }, body: "" });
    }
    const headers = { "content-type": request.headers["content-type"] ?? "" };
    const form = await new Response(new Uint8Array(request.body), { headers }).formData();
    const file = form.get("file");
    if (form.get("purpose") !== "batch" || !(file instanceof Blob)) return refuse(400, "no file, or unknown purpose");
    return showFile(files.add(Buffer.from(await file.arrayBuffer())), files);
  }

  function showFile(id: string, files: SentFiles): Action {
    const bytes = files.get(id)?.length ?? 0;
    const purpose = isTogether ? "batch-api" : "batch";
    return reply({ body: { id, object: "file", bytes, created_at: 0, filename: "batch.jsonl", purpose } });
  }

  function create({ body }: Received, files: SentFiles): Action {
    const { input_file_id: file, metadata } = createSchema.parse(JSON.parse(body.toString("utf8")));
    const content = files.get(file);
    if (content === undefined) return refuse(400, "no such file");
    if (isTogether && metadata !== undefined) return refuse(400, "unknown field metadata");
    const lines = content.toString("utf8").split("\n").filter(Boolean);
    const read = lines.map((line) => lineSchema.parse(JSON.parse(line)));
    const sent = read.map(({ custom_id: id, body: call }) => toLine(call, id));
    return { do: "create", lines: sent, file, mark: metadata ?? null };
  }

  function showBatch({ id, file, mark, word, isOver, createdAt, endedAt, counts, files, model }: BatchView) {
    const common = {
      id,
      endpoint: "/v1/chat/completions",
      input_file_id: file,
      output_file_id: files.output === true ? `file-${id}-output` : files.output,
      error_file_id: files.error === true ? `file-${id}-error` : files.error,
    };
    if (isTogether) {
      return {
        ...common,
        status: word.toUpperCase(),
        model_id: model,
        progress: isOver ? 100 : 0,
        created_at: new Date(createdAt).toISOString(),
        completed_at: endedAt === null ? undefined : new Date(endedAt).toISOString(),
        error: "",
      };
    }
    const ended = endedAt === null ? null : seconds(endedAt);
    return {
      ...common,
      object: "batch",
      status: word,
      completion_window: "24h",
      created_at: seconds(createdAt),
      expires_at: seconds(createdAt) + 86_400,
      ...(["failed", "expired", "cancelled"].includes(word) ? { [`${word}_at`]: ended } : { completed_at: ended }),
      errors: null,
      metadata: mark,
      ...(counts && {
        request_counts: {
          total: counts.total,
          completed: counts.completed,
          failed: counts.failed + counts.expired + counts.canceled,
        },
      }),
    };
  }

  return {
    family: "openai",
    path,
    hasErrorFile: true,
    async read(request, files) {
      const signed = /^\/signed\/(.+)$/.exec(request.path)?.[1];
      if (signed !== undefined) {
        if (request.headers.authorization !== undefined) return refuse(400, "a key has no business here");
        files.set(signed, request.body);
        return reply({ body: "" });
      }
      const { authorization, "api-key": azureKey } = request.headers;
      if ((kind === "azure" ? azureKey : authorization?.replace(/^Bearer /, "")) !== key)
        return refuse(401, "Incorrect API key provided.");
      const rest = request.path.startsWith(`${root}/`) ? request.path.slice(root.length) : "";
      if (rest === "/chat/completions") {
        if (request.method !== "POST") return refuse(405, "Method Not Allowed");
        const { data, error } = callSchema.safeParse(JSON.parse(request.body.toString("utf8")));
        if (data === undefined) return refuse(400, error.message);
        const hasUsage = data.stream_options?.include_usage === true;
        return { do: "call", line: toLine(data), isStream: data.stream === true, hasUsage };
      }
      if (rest === "/models") return { do: "models" };
      const [, place, id, act] = /^\/(files|batches)(?:\/([^/]+))?(?:\/(content|cancel))?$/.exec(rest) ?? [];
      if (place === undefined || kind === "chat") return refuse(404, "Not Found");
      if (place === "files") {
        if (id === undefined)
          return request.method === "POST" ? await upload(request, files) : refuse(404, "Not Found");
        const [, batch, file] = /^file-(.+)-(output|error)$/.exec(id) ?? [];
        if (batch !== undefined && act === "content")
          return { do: "results", id: batch, file: file === "error" ? "error" : "output" };
        const content = files.get(id);
        if (content === undefined) return refuse(404, "No such File object.");
        return act === "content" ? reply({ body: content }) : showFile(id, files);
      }
      if (id !== undefined) return { do: act === "cancel" ? "cancel" : "show", id };
      if (request.method === "POST") return create(request, files);
      const limit = isTogether ? Number.POSITIVE_INFINITY : Number(request.query.get("limit") ?? 20);
      return { do: "list", limit, after: request.query.get("after") };
    },
    showBatch,
    showCreated: (view) => (isTogether ? { job: showBatch(view), warning: "" } : showBatch(view)),
    showList(views, hasMore) {
      const data = views.map(showBatch);
      if (isTogether) return data;
      return { object: "list", data, first_id: views[0]?.id, last_id: views.at(-1)?.id, has_more: hasMore };
    },
    showModels: (names) => ({ object: "list", data: names.map((id) => ({ id, object: "model", created: 0 })) }),
    placeOf: (id) => `${root}/batches/${id}`,
    writeSent: ({ id, question: content, model }) => ({
      custom_id: id,
      method: "POST",
      url: "/v1/chat/completions",
      body: { model, messages: [{ role: "user", content }] },
    }),
    writeRow({ id, ...line }, content, at) {
      const common = { id: `batch_req_${at}`, custom_id: id };
      if (content.what === "expired" || content.what === "canceled") {
        // platform.openai.com/docs/guides/batch#batch-expiration
        const message =
          content.what === "expired"
            ? "This request could not be executed before the completion window expired."
            : "This request was cancelled.";
        return { ...common, response: null, error: { code: `batch_${content.what}`, message } };
      }
      const answer =
        content.what === "answer"
          ? { status_code: 200, body: writeAnswer({ id, ...line }, content.text, content.outcome) }
          : { status_code: content.outcome.status, body: content.outcome.body };
      return { ...common, response: { ...answer, request_id: `req_${at}` }, error: null };
    },
    writeAnswer,
    writeEvents,
  };
}

function writeAnswer(line: Line, text: string, { finish = "stop", promptTokens, ...outcome }: Answered) {
  const content = outcome.text === undefined ? text : outcome.text;
  const message = { role: "assistant", content, ...outcome.message };
  const prompt = countPrompt(line, promptTokens);
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model: line.model,
    choices: [{ index: 0, message, finish_reason: finish, ...outcome.choice }],
    usage: { prompt_tokens: prompt, completion_tokens: 3, total_tokens: prompt + 3 },
  };
}

/** The answer as events: its text in two pieces, the finish reason in an event of its own. */
function writeEvents({ choices, usage, ...answer }: Record<string, unknown>, hasUsage: boolean): string {
  const choice = z
    .array(z.looseObject({ message: z.looseObject({ content: z.string().nullable() }), finish_reason: z.unknown() }))
    .parse(choices)[0];
  const { content, role, ...rest } = choice?.message ?? { content: null, role: "assistant" };
  const half = Math.floor((content ?? "").length / 2);
  const deltas =
    content === null
      ? [{ role, content, ...rest }]
      : [{ role, content: content.slice(0, half), ...rest }, { content: content.slice(half) }];
  const finish = choice?.finish_reason === undefined ? {} : { finish_reason: choice.finish_reason };
  const events = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, ...finish }] },
    ...(hasUsage ? [{ choices: [], usage }] : []),
  ].map((event) => JSON.stringify({ ...answer, object: "chat.completion.chunk", ...event }));
  return [...events, "[DONE]"].map((event) => `data: ${event}\n\n`).join("");
}
