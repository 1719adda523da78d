import type { ChatMessage, ChatRequest, ChatTool, ContentPart } from "#contract";
import type { Material, MessagesRequest, ToolResult, Turn } from "./anthropic-wire.ts";
import { omitUnset } from "./unset.ts";

/** What a prompt alone needs: the body of a token count is no whole request. */
type Prompt = Omit<MessagesRequest, "max_tokens" | "thread"> & { readonly max_tokens?: number };

/** The chat completion that asks for the same as a request of Anthropic's Messages API. */
export function readMessagesRequest(request: Prompt): ChatRequest {
  const { model, messages, system, stop_sequences: stop, stream, metadata, output_config: output } = request;
  // What has the same meaning in a chat completion, or none, is passed on under its own name.
  const { max_tokens, temperature, top_p, top_k, thinking, service_tier, inference_geo, speed, cache_control } =
    request;
  const chat: ChatRequest = {
    model,
    messages: [
      ...(system === undefined || system.length === 0 ? [] : [{ role: "system" as const, content: toContent(system) }]),
      ...messages.flatMap(toMessages),
    ],
    ...omitUnset({
      temperature,
      top_p,
      top_k,
      thinking,
      service_tier,
      inference_geo,
      speed,
      cache_control,
      max_tokens,
    }),
    ...omitUnset({ user: metadata?.user_id }),
    ...(stop?.length ? { stop } : {}),
    ...(stream === true ? { stream, stream_options: { include_usage: true } } : {}),
    ...toTools({ ...request, tools: listOffered(request) }),
    ...omitUnset({ reasoning_effort: output?.effort === "max" ? "xhigh" : output?.effort }),
  };
  if (output?.format) {
    chat.response_format = { type: "json_schema", json_schema: { name: "response", schema: output.format.schema } };
  }
  return chat;
}

/** The results of tools are messages of their own there, right after the calls. */
function toMessages(turn: Turn): ChatMessage[] {
  switch (turn.role) {
    case "system": {
      const content = typeof turn.content === "string" ? turn.content : turn.content.filter(isMaterial);
      return content.length === 0 ? [] : [{ role: "system", content: toContent(content) }];
    }
    case "assistant":
      return [toAssistantMessage(turn.content)];
    case "user": {
      if (typeof turn.content === "string") return [{ role: "user", content: turn.content }];
      const results = turn.content.filter((block) => block.type === "tool_result");
      const material = turn.content.filter(isMaterial);
      return [
        ...results.map(toToolMessage),
        ...(material.length > 0 ? [{ role: "user" as const, content: toContent(material) }] : []),
      ];
    }
  }
}

function toToolMessage({ type: _, tool_use_id, content = "", ...rest }: ToolResult): ChatMessage {
  const isEmpty = content.length === 0;
  return { role: "tool", tool_call_id: tool_use_id, content: isEmpty ? "" : toContent(content), ...omitUnset(rest) };
}

function isMaterial<Block extends { readonly type: string }>(block: Block): block is Extract<Block, Material> {
  return block.type === "text" || block.type === "image" || block.type === "document";
}

type AssistantContent = Extract<Turn, { role: "assistant" }>["content"];

function toAssistantMessage(content: AssistantContent): ChatMessage {
  if (typeof content === "string") return { role: "assistant", content };
  const texts = content.filter((block) => block.type === "text");
  const thoughts = content.flatMap((block) => (block.type === "thinking" ? [block.thinking] : []));
  const calls = content.filter((block) => block.type === "tool_use");
  return {
    role: "assistant",
    content: texts.length > 0 ? toContent(texts) : null,
    ...(thoughts.length > 0 ? { reasoning_content: thoughts.join("\n\n") } : {}),
    ...(calls.length > 0
      ? {
          tool_calls: calls.map(({ type: _, id, name, input, caller: _caller, toolset_name: _toolset, ...rest }) => ({
            id,
            type: "function",
            function: { name, arguments: JSON.stringify(input ?? {}) },
            ...omitUnset(rest),
          })),
        }
      : {}),
  };
}

/** One plain text is content in itself. */
function toContent(content: string | readonly Material[]): string | ContentPart[] {
  if (typeof content === "string") return content;
  const parts = content.map(toPart);
  const [first, ...others] = parts;
  const isPlain = first?.type === "text" && others.length === 0 && Object.keys(first).length === 2;
  return isPlain ? first.text : parts;
}

function toPart(block: Material): ContentPart {
  switch (block.type) {
    case "text": {
      const { type, text, ...rest } = block;
      return { type, text, ...omitUnset(rest) };
    }
    case "image": {
      const { type: _, source, ...rest } = block;
      const url = source.type === "url" ? source.url : toDataUrl(source);
      return { type: "image_url", image_url: { url }, ...omitUnset(rest) };
    }
    case "document": {
      const { type: _, source, title, citations: _none, ...rest } = block;
      if (source.type === "text") return { type: "text", text: source.data, ...omitUnset({ title, ...rest }) };
      const file = { file_data: toDataUrl(source), filename: title ?? "document" };
      return { type: "file", file, ...omitUnset(rest) };
    }
  }
}

function toDataUrl({ media_type: mediaType, data }: { media_type: string; data: string }): string {
  return `data:${mediaType};base64,${data}`;
}

function toTools({ tools, tool_choice: choice }: Prompt): Partial<ChatRequest> {
  const isSingle = choice !== undefined && choice.type !== "none" && choice.disable_parallel_tool_use === true;
  return {
    ...(tools?.length ? { tools: tools.map(toTool) } : {}),
    ...(choice === undefined ? {} : { tool_choice: toToolChoice(choice) }),
    ...(isSingle ? { parallel_tool_calls: false } : {}),
  };
}

type Tool = NonNullable<Prompt["tools"]>[number];

/** The tools that are offered at the end of the conversation, which may add some on its way, and take some away. */
function listOffered({ tools = [], messages }: Prompt): Tool[] {
  const declared = new Map(tools.map((tool) => [tool.name, tool]));
  const offered = new Map(declared);
  for (const { content } of messages) {
    for (const block of typeof content === "string" ? [] : content) {
      if (block.type === "tool_removal") offered.delete(block.tool.name);
      if (block.type !== "tool_addition") continue;
      const { tool } = block;
      const added = tool.type === "tool_definition" ? tool.definition : declared.get(tool.name);
      if (added === undefined) continue;
      declared.set(added.name, added);
      offered.set(added.name, added);
    }
  }
  return [...offered.values()];
}

function toTool({ type: _, name, description, input_schema: parameters, strict, ...rest }: Tool): ChatTool {
  return {
    type: "function",
    function: { name, ...omitUnset({ description, strict }), parameters },
    ...omitUnset(rest),
  };
}

function toToolChoice(choice: NonNullable<Prompt["tool_choice"]>): NonNullable<ChatRequest["tool_choice"]> {
  if (choice.type === "tool") return { type: "function", function: { name: choice.name } };
  return choice.type === "any" ? "required" : choice.type;
}
