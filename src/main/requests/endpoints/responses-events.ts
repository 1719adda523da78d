import type { FinishReason, ModelResponse, OutputItem, ResponseRequest, TokenLogprob, ToolCall } from "#contract";
import type { CallPiece, ReadChunk, ReadDelta, ReadUsage } from "#main/answers";
import {
  beginResponse,
  createItems,
  endResponse,
  findGap,
  type Items,
  isSummarized,
  writeText,
} from "./responses-answer.ts";
import type { AnswerFacts, JsonObject } from "./translation.ts";

/** An event of a streamed response. Those at its beginning and end have the response itself. */
export interface ResponseEvent extends JsonObject {
  readonly type: string;
  readonly sequence_number: number;
  readonly response?: ModelResponse;
}

type Unnumbered = JsonObject & { readonly type: string };

/** A streamed chat completion as the events of a response. */
export async function* toResponseEvents(
  chunks: AsyncIterable<ReadChunk>,
  request: ResponseRequest,
  facts: AnswerFacts,
): AsyncGenerator<ResponseEvent, void> {
  const begun = beginResponse(request, facts);
  let next = 0;
  const number = (event: Unnumbered): ResponseEvent => ({ ...event, sequence_number: next++ });
  yield number({ type: "response.created", response: begun });
  yield number({ type: "response.in_progress", response: begun });

  const writer = createItemWriter(request, facts.id);
  let reason: FinishReason = "stop";
  let usage: ReadUsage | null = null;
  for await (const chunk of chunks) {
    usage = chunk.usage ?? usage;
    const [choice] = chunk.choices;
    if (choice === undefined) continue;
    for (const event of writer.add(choice.delta, choice.logprobs?.content ?? [])) yield number(event);
    reason = choice.finish_reason ?? reason;
  }
  for (const event of writer.end(reason)) yield number(event);
  const response = endResponse(begun, writer.output, reason, usage, facts.created);
  yield number({ type: `response.${response.status}`, response });
}

type EndStatus = "completed" | "incomplete";

/** An item that is being written: what begins it, what each piece adds to it, and what ends it. */
interface OpenItem {
  readonly events: readonly Unnumbered[];
  add(text: string, logprobs: readonly TokenLogprob[]): Unnumbered;
  close(status: EndStatus): { readonly events: readonly Unnumbered[]; readonly item: OutputItem };
}

/** Writes items from pieces of a message: when a piece of another kind comes, the item before it has ended. */
function createItemWriter(request: ResponseRequest, responseId: string) {
  const items = createItems(responseId, request);
  const output: OutputItem[] = [];
  let open: { readonly kind: string; readonly item: OpenItem } | null = null;

  function close(status: EndStatus): readonly Unnumbered[] {
    if (open === null) return [];
    const { events, item } = open.item.close(status);
    open = null;
    const output_index = output.length;
    output.push(item);
    return [...events, { type: "response.output_item.done", output_index, item }];
  }

  function* write(
    kind: string,
    begin: (outputIndex: number) => OpenItem,
    text: string,
    logprobs: readonly TokenLogprob[] = [],
  ): Generator<Unnumbered, void> {
    if (open?.kind !== kind) {
      yield* close("completed");
      open = { kind, item: begin(output.length) };
      yield* open.item.events;
    }
    if (text !== "") yield open.item.add(text, logprobs);
  }

  return {
    output,
    *add(delta: ReadDelta, logprobs: readonly TokenLogprob[]): Generator<Unnumbered, void> {
      const { reasoning_content: reasoning, refusal, content, pictures, tool_calls: calls } = delta;
      if (reasoning) yield* write("reasoning", (at) => openReasoning(items, request, at), reasoning);
      if (typeof refusal === "string") yield* write("refusal", (at) => openMessage(items, "refusal", at), refusal);
      if (content) yield* write("text", (at) => openMessage(items, "text", at), content, logprobs);
      for (const [at, url] of pictures.entries()) {
        yield* write(`picture ${at} ${output.length}`, (place) => openPicture(items, url, place), "");
        yield* close("completed");
      }
      for (const call of calls) {
        yield* write(`call ${call.index}`, (at) => openCall(items, toCall(call), at), call.input);
      }
    },
    *end(reason: FinishReason): Generator<Unnumbered, void> {
      // An answer without a word is an empty message.
      if (open === null && output.length === 0) yield* write("text", (at) => openMessage(items, "text", at), "");
      yield* close(findGap(reason) === null ? "completed" : "incomplete");
    },
  };
}

function toCall({ index, id, type, name }: CallPiece): ToolCall {
  const callId = id ?? `call_${index}`;
  return type === "function"
    ? { id: callId, type, function: { name, arguments: "" } }
    : { id: callId, type, custom: { name, input: "" } };
}

/** A picture comes as a whole. */
function openPicture(items: Items, url: string, output_index: number): OpenItem {
  const item = items.picture(url);
  const added = {
    type: "response.output_item.added",
    output_index,
    item: { ...item, status: "in_progress", result: null },
  };
  return { events: [added], add: () => added, close: () => ({ events: [], item }) };
}

function openMessage(items: Items, kind: "text" | "refusal", output_index: number): OpenItem {
  const started = items.message([], "in_progress");
  const at = { item_id: started.id, output_index, content_index: 0 };
  const isText = kind === "text";
  const name = isText ? "response.output_text" : "response.refusal";
  const tokens: TokenLogprob[] = [];
  let text = "";
  const part = () => (isText ? writeText(text, tokens) : { type: "refusal", refusal: text });
  return {
    events: [
      { type: "response.output_item.added", output_index, item: started },
      { type: "response.content_part.added", ...at, part: part() },
    ],
    add(delta, logprobs) {
      text += delta;
      tokens.push(...logprobs);
      return { type: `${name}.delta`, ...at, delta, ...(isText ? { logprobs } : {}) };
    },
    close: (status) => ({
      item: items.message([part()], status, started.id),
      events: [
        { type: `${name}.done`, ...at, ...(isText ? { text, logprobs: tokens } : { refusal: text }) },
        { type: "response.content_part.done", ...at, part: part() },
      ],
    }),
  };
}

function openReasoning(items: Items, request: ResponseRequest, output_index: number): OpenItem {
  const started = items.reasoning("");
  const summarized = isSummarized(request);
  const at = { item_id: started.id, output_index, ...(summarized ? { summary_index: 0 } : { content_index: 0 }) };
  const name = summarized ? "response.reasoning_summary_text" : "response.reasoning_text";
  const parts = summarized ? "response.reasoning_summary_part" : "response.content_part";
  const part = (text: string) => ({ type: summarized ? "summary_text" : "reasoning_text", text });
  let text = "";
  return {
    events: [
      { type: "response.output_item.added", output_index, item: started },
      { type: `${parts}.added`, ...at, part: part("") },
    ],
    add(delta) {
      text += delta;
      return { type: `${name}.delta`, ...at, delta };
    },
    close: () => ({
      item: items.reasoning(text, started.id),
      events: [
        { type: `${name}.done`, ...at, text },
        { type: `${parts}.done`, ...at, part: part(text) },
      ],
    }),
  };
}

function openCall(items: Items, call: ToolCall, output_index: number): OpenItem {
  const started = items.call(call, "in_progress");
  const at = { item_id: started.id, output_index };
  const isCustom = call.type === "custom";
  const name = isCustom ? "response.custom_tool_call_input" : "response.function_call_arguments";
  let text = "";
  const whole = (): ToolCall =>
    call.type === "custom"
      ? { ...call, custom: { ...call.custom, input: text } }
      : { ...call, function: { ...call.function, arguments: text } };
  return {
    events: [{ type: "response.output_item.added", output_index, item: started }],
    add(delta) {
      text += delta;
      return { type: `${name}.delta`, ...at, delta };
    },
    close: (status) => ({
      item: items.call(whole(), status, started.id),
      events: [{ type: `${name}.done`, ...at, ...(isCustom ? { input: text } : { arguments: text }) }],
    }),
  };
}
