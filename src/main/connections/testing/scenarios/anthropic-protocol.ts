import { z } from "zod";
import { fail, type Line } from "./kinds.ts";
import type { Answered } from "./line-behaviour.ts";
import { readText } from "./openai-protocol.ts";
import { type Action, type BatchView, countPrompt, type Protocol, reply } from "./protocol.ts";

/*
 * The wire of Anthropic's messages and message batches, written from the types of `@anthropic-ai/sdk`
 * (resources/messages/batches) and platform.claude.com/docs/en/build-with-claude/batch-processing.
 */

const callSchema = z.looseObject({
  model: z.string(),
  max_tokens: z.number(),
  system: z.unknown().optional(),
  messages: z.array(z.looseObject({ content: z.unknown() })).min(1),
  stream: z.boolean().optional(),
});
const createSchema = z.looseObject({
  requests: z.array(z.looseObject({ custom_id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), params: callSchema })).min(1),
});

function toLine({ model, messages, system }: z.infer<typeof callSchema>, id?: string): Line {
  const texts = messages.map(({ content }) => readText(content));
  const question = texts.at(-1) ?? "";
  return { id: id ?? question, question, model, size: [readText(system), ...texts].join("").length };
}

/** The words of an ended batch. Anthropic has one for all; others are written as they are. */
const ended = ["completed", "expired", "cancelled"];

/** The protocol; it takes one key. */
export function createAnthropicProtocol(key: string): Protocol {
  const refuse = (status: number, message: string): Action => reply(fail("anthropic", status, message));

  function showBatch({ id, word, createdAt, endedAt, total, counts, files }: BatchView, origin: string) {
    const known = ended.includes(word);
    const { completed = 0, failed = 0, expired = 0, canceled = 0 } = counts ?? {};
    return {
      id,
      type: "message_batch",
      processing_status: known ? "ended" : word === "cancelling" ? "canceling" : word,
      ...(counts && {
        request_counts: {
          // A batch whose counts are all 0 has none that is processing either.
          processing: counts.total === 0 ? 0 : total - completed - failed - expired - canceled,
          succeeded: completed,
          errored: failed,
          expired,
          canceled,
        },
      }),
      created_at: new Date(createdAt).toISOString(),
      // Only the known end is dated: an unknown word is all there is to go by.
      ended_at: known && endedAt !== null ? new Date(endedAt).toISOString() : null,
      expires_at: new Date(createdAt + 86_400_000).toISOString(),
      archived_at: null,
      cancel_initiated_at: null,
      results_url: files.output === true ? `${origin}/v1/messages/batches/${id}/results` : files.output,
    };
  }

  return {
    family: "anthropic",
    path: "",
    hasErrorFile: false,
    read({ method, path, query, headers, body }) {
      const { authorization, "x-api-key": ownKey, "anthropic-version": version } = headers;
      if ((ownKey ?? authorization?.replace(/^Bearer /, "")) !== key) return refuse(401, "invalid x-api-key");
      if (version === undefined) return refuse(400, "anthropic-version: header is required");
      if (path === "/v1/models") return { do: "models" };
      if (path === "/v1/messages") {
        if (method !== "POST") return refuse(405, "Method Not Allowed");
        const { data, error } = callSchema.safeParse(JSON.parse(body.toString("utf8")));
        if (data === undefined) return refuse(400, error.message);
        return { do: "call", line: toLine(data), isStream: data.stream === true, hasUsage: true };
      }
      const [isBatch, id, act] = /^\/v1\/messages\/batches(?:\/([^/]+))?(?:\/(cancel|results))?$/.exec(path) ?? [];
      if (isBatch === undefined) return refuse(404, "Not found");
      if (id !== undefined && act === "results") return { do: "results", id, file: "output" };
      if (id !== undefined) return { do: act === "cancel" ? "cancel" : "show", id };
      if (method !== "POST")
        return { do: "list", limit: Number(query.get("limit") ?? 20), after: query.get("after_id") };
      const { data, error } = createSchema.safeParse(JSON.parse(body.toString("utf8")));
      if (data === undefined) return refuse(400, error.message);
      const lines = data.requests.map(({ custom_id: own, params }) => toLine(params, own));
      return { do: "create", lines, file: null, mark: null };
    },
    showBatch,
    showCreated: showBatch,
    showList: (views, hasMore, origin) => ({
      data: views.map((view) => showBatch(view, origin)),
      first_id: views[0]?.id ?? null,
      last_id: views.at(-1)?.id ?? null,
      has_more: hasMore,
    }),
    showModels: (names) => ({
      data: names.map((id) => ({ type: "model", id, display_name: id, created_at: "2026-01-01T00:00:00Z" })),
      has_more: false,
      first_id: names[0] ?? null,
      last_id: names.at(-1) ?? null,
    }),
    placeOf: (id) => `/v1/messages/batches/${id}`,
    writeSent: () => null,
    writeRow(line, content) {
      if (content.what === "answer") {
        const message = writeAnswer(line, content.text, content.outcome);
        return { custom_id: line.id, result: { type: "succeeded", message } };
      }
      if (content.what !== "error") return { custom_id: line.id, result: { type: content.what } };
      return { custom_id: line.id, result: { type: "errored", error: content.outcome.body } };
    },
    writeAnswer,
    writeEvents,
  };
}

function writeAnswer(line: Line, text: string, { finish = "end_turn", promptTokens, ...outcome }: Answered) {
  const own = outcome.text === undefined ? text : outcome.text;
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: line.model,
    content: own === null || own === "" ? [] : [{ type: "text", text: own, citations: null }],
    stop_reason: finish,
    stop_sequence: null,
    stop_details: null,
    usage: { input_tokens: countPrompt(line, promptTokens), output_tokens: 3 },
    ...outcome.message,
  };
}

/** The message as events, a text in two pieces. */
function writeEvents(message: Record<string, unknown>): string {
  const { content, stop_reason, stop_sequence, stop_details, usage } = message;
  const blocks = z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).parse(content);
  const events: Record<string, unknown>[] = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
  ];
  for (const [index, { text, input, ...block }] of blocks.entries()) {
    const isText = text !== undefined;
    const half = Math.floor((text ?? "").length / 2);
    const deltas = isText
      ? [text.slice(0, half), text.slice(half)].map((piece) => ({ type: "text_delta", text: piece }))
      : [{ type: "input_json_delta", partial_json: JSON.stringify(input) }];
    events.push(
      { type: "content_block_start", index, content_block: { ...block, ...(isText ? { text: "" } : { input: {} }) } },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    );
  }
  events.push(
    { type: "message_delta", delta: { stop_reason, stop_sequence, stop_details }, usage },
    { type: "message_stop" },
  );
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
