import type { ServerResponse } from "node:http";
import { z } from "zod";
import { createMessageBatchSchema, messagesRequestSchema } from "#main/requests";
import type { Message, MessageBatch, MessagesRequest } from "../../requests/vendors/anthropic-wire.ts";
import { type Received, type Reply, type StandIn, startStandIn } from "./stand-in.ts";

interface Batch {
  readonly id: string;
  readonly requests: z.infer<typeof createMessageBatchSchema>["requests"];
  readonly createdAt: string;
  status: "in_progress" | "canceling" | "ended";
  endedAt: string | null;
}

/** A stand-in for Anthropic's messages and message batches, as `@anthropic-ai/sdk` shows them. */
export interface AnthropicService extends StandIn {
  readonly batches: readonly { readonly id: string; readonly lines: number }[];
  /** Answers every line of a batch and ends it; lines for which `outcome` answers are errored, canceled or expired. */
  end(outcome?: (customId: string) => Record<string, unknown> | undefined): void;
}

/** Starts it; it takes one key. */
export async function startAnthropicService(key: string): Promise<AnthropicService> {
  const batches: Batch[] = [];
  let outcomeOf: (customId: string) => Record<string, unknown> | undefined = () => undefined;

  const show = (batch: Batch, url: string): MessageBatch => {
    const { length } = batch.requests;
    const results = batch.status === "ended" ? batch.requests.map((request) => toResult(request).type) : [];
    const count = (type: string) => results.filter((result) => result === type).length;
    return {
      id: batch.id,
      type: "message_batch",
      processing_status: batch.status,
      request_counts: {
        processing: batch.status === "ended" ? 0 : length,
        succeeded: count("succeeded"),
        errored: count("errored"),
        canceled: count("canceled"),
        expired: count("expired"),
      },
      created_at: batch.createdAt,
      ended_at: batch.endedAt,
      expires_at: new Date(Date.parse(batch.createdAt) + 86_400_000).toISOString(),
      archived_at: null,
      cancel_initiated_at: null,
      results_url: batch.status === "ended" ? `${url}/v1/messages/batches/${batch.id}/results` : null,
    };
  };

  function toResult({ custom_id: customId, params }: Batch["requests"][number]): Record<string, unknown> {
    const told = outcomeOf(customId);
    if (told !== undefined) return told;
    return { type: "succeeded", message: toMessage(customId, params.model) };
  }

  const refuse = (status: number, type: string, message: string): Reply => ({
    status,
    body: { type: "error", error: { type, message }, request_id: "req_1" },
  });

  function answer(request: Received): Reply {
    const { method, path, headers, body } = request;
    // As its client sends them, and no others.
    if (headers.authorization !== `Bearer ${key}`) return refuse(401, "authentication_error", "invalid API key");
    if (headers["anthropic-version"] !== "2026-10-21")
      return refuse(400, "invalid_request_error", "anthropic-version: unknown");
    const [, id, act] = /^\/v1\/messages\/batches(?:\/([^/]+))?(?:\/(cancel|results))?$/.exec(path) ?? [];
    if (path === "/v1/models") return { body: { data: [{ type: "model", id: "claude-sonnet-4-5" }], has_more: false } };
    if (method === "POST" && path === "/v1/messages") {
      const { data, error } = messagesRequestSchema.safeParse(JSON.parse(body.toString("utf8")));
      if (data === undefined) return refuse(400, "invalid_request_error", error.message);
      const message = toMessage(readQuestion(data.messages), data.model);
      return data.stream === true ? (response) => streamMessage(response, message) : { body: message };
    }
    if (method === "POST" && path === "/v1/messages/batches") {
      const { data, error } = createMessageBatchSchema.safeParse(JSON.parse(body.toString("utf8")));
      if (data === undefined) return refuse(400, "invalid_request_error", error.message);
      const id = `msgbatch_${batches.length + 1}`;
      const batch: Batch = {
        id,
        requests: data.requests,
        createdAt: new Date().toISOString(),
        status: "in_progress",
        endedAt: null,
      };
      batches.push(batch);
      return { body: show(batch, "") };
    }
    if (path === "/v1/messages/batches") {
      const data = batches.toReversed().map((batch) => show(batch, ""));
      return { body: { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null } };
    }
    const batch = batches.find((other) => other.id === id);
    if (batch === undefined) return refuse(404, "not_found_error", "Not found");
    if (act === "cancel") batch.status = "canceling";
    if (act !== "results") return { body: show(batch, `http://${headers.host}`) };
    if (batch.status !== "ended") return refuse(404, "not_found_error", "Results are not there yet");
    const lines = batch.requests
      .toReversed()
      .map((line) => JSON.stringify({ custom_id: line.custom_id, result: toResult(line) }));
    return { headers: { "content-type": "application/x-jsonl" }, body: lines.map((line) => `${line}\n`).join("") };
  }

  const standIn = await startStandIn(answer);
  return {
    ...standIn,
    get batches() {
      return batches.map(({ id, requests }) => ({ id, lines: requests.length }));
    },
    end(outcome = () => undefined) {
      outcomeOf = outcome;
      for (const batch of batches) {
        batch.status = "ended";
        batch.endedAt = new Date().toISOString();
      }
    },
  };
}

/** The text of the last turn. */
function readQuestion(messages: MessagesRequest["messages"]): string {
  const content = messages.at(-1)?.content;
  const blocks = z.array(z.looseObject({ text: z.string() })).safeParse(content);
  return typeof content === "string" ? content : (blocks.data ?? []).map(({ text }) => text).join("");
}

function toMessage(question: string, model: string): Message {
  return {
    id: `msg_${question}`,
    type: "message",
    role: "assistant",
    model,
    content: [{ type: "text", text: `answer to ${question}` }],
    stop_reason: "end_turn",
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: {
      input_tokens: 7,
      output_tokens: 3,
      cache_read_input_tokens: 2,
      cache_creation_input_tokens: 1,
      cache_creation: null,
      output_tokens_details: null,
      server_tool_use: null,
      service_tier: "batch",
      inference_geo: null,
      speed: null,
    },
  };
}

/** The message as events: its text in two pieces, a ping between them. */
function streamMessage(response: ServerResponse, message: Message): void {
  const { content, stop_reason, stop_sequence, usage } = message;
  const text = content[0]?.type === "text" ? content[0].text : "";
  const pieces = [text.slice(0, 6), text.slice(6)];
  const toDelta = (piece: string) => ({
    type: "content_block_delta",
    index: 0,
    delta: { type: "text_delta", text: piece },
  });
  const events = [
    {
      type: "message_start",
      message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    toDelta(pieces[0] ?? ""),
    { type: "ping" },
    toDelta(pieces[1] ?? ""),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason, stop_sequence }, usage: { output_tokens: usage.output_tokens } },
    { type: "message_stop" },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}
