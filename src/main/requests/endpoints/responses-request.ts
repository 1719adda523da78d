import {
  type ChatMessage,
  type ChatRequest,
  type ChatTool,
  type ContentPart,
  chatToolSchema,
  type InputItem,
  type InputPart,
  type ResponseRequest,
  type ResponseTool,
  type ToolCall,
} from "#contract";
import { isSet, listUnknown, pickSet, type Translated, type TranslationProblem } from "./translation.ts";

/** Parameters that mean the same to a chat completion. */
const sameMeaning = [
  "model",
  "parallel_tool_calls",
  "prompt_cache_key",
  "safety_identifier",
  "service_tier",
  "stream",
  "temperature",
  "top_p",
  "user",
] as const;

/** All that are translated, or that only say how the answer is returned and kept. */
export const responseFields = new Set<string>([
  ...sameMeaning,
  "include",
  "input",
  "instructions",
  "max_output_tokens",
  "max_tool_calls",
  "metadata",
  "previous_response_id",
  "prompt_cache_retention",
  "reasoning",
  "store",
  "stream_options",
  "text",
  "tool_choice",
  "tools",
  "top_logprobs",
  "truncation",
]);

/** What can be included in an answer; those that are about tools of the hosted service have nothing to show here. */
export const includables: ReadonlySet<unknown> = new Set([
  "code_interpreter_call.outputs",
  "computer_call_output.output.image_url",
  "file_search_call.results",
  "message.input_image.image_url",
  "message.output_text.logprobs",
  "reasoning.encrypted_content",
  "web_search_call.action.sources",
  "web_search_call.results",
]);

/** Whether an answer is to have the likelihoods of its tokens. */
function asksForLogprobs({ include, top_logprobs: top }: ResponseRequest): boolean {
  return (top ?? 0) > 0 || (include ?? []).includes("message.output_text.logprobs");
}

/** A request to `/v1/responses` as a chat completion's. What it refers to must be in its input by now. */
export function toChatRequest(request: ResponseRequest): Translated {
  const problems = findProblems(request);
  const report: Report = (param, message) => problems.push({ param, message });
  const messages = toMessages(request, report);
  if (problems.length > 0) return { problems };
  const { max_output_tokens: limit, metadata, reasoning, text, top_logprobs: top, stream } = request;
  return {
    requests: [
      {
        ...pickSet(request, sameMeaning),
        model: request.model,
        messages,
        ...(isSet(limit) ? { max_completion_tokens: limit } : {}),
        ...(isSet(metadata) ? { metadata } : {}),
        ...(isSet(reasoning?.effort) ? { reasoning_effort: reasoning?.effort } : {}),
        ...(isSet(text?.verbosity) ? { verbosity: text?.verbosity } : {}),
        ...(asksForLogprobs(request) ? { logprobs: true, top_logprobs: top ?? 0 } : {}),
        ...(stream === true ? { stream_options: { include_usage: true } } : {}),
        ...toFormat(text?.format),
        ...toTools(request),
      },
    ],
  };
}

type Report = (param: string, message: string) => void;

function findProblems(request: ResponseRequest): TranslationProblem[] {
  const problems = listUnknown(request, responseFields).map((param) => ({ param, message: describeForeign(param) }));
  const report: Report = (param, message) => problems.push({ param, message });
  for (const [at, name] of (request.include ?? []).entries()) {
    if (!includables.has(name)) report(`include[${at}]`, `There is nothing called '${name}' to include.`);
  }
  for (const name of Object.keys(request.reasoning ?? {})) {
    if (!reasoningFields.has(name) && isSet(request.reasoning?.[name])) {
      report(`reasoning.${name}`, `Unknown parameter: 'reasoning.${name}'.`);
    }
  }
  return problems;
}

const reasoningFields = new Set(["effort", "summary", "generate_summary"]);

/** Parameters that need what only the hosted service has. */
const foreign: Readonly<Record<string, string>> = {
  background: "Responses are made while their client waits: there are none in the background here.",
  conversation: "There are no conversations here: go on from a response with previous_response_id.",
  prompt: "There are no stored prompts here: send the instructions and the input themselves.",
};

function describeForeign(param: string): string {
  return foreign[param] ?? `Unknown parameter: '${param}'.`;
}

function toFormat(format: NonNullable<ResponseRequest["text"]>["format"]): Pick<ChatRequest, "response_format"> {
  if (!format || format.type === "text") return {};
  if (format.type === "json_object") return { response_format: { type: "json_object" } };
  const { type, ...schema } = format;
  return { response_format: { type, json_schema: schema } };
}

function toTools({ tools, tool_choice: choice }: ResponseRequest): Pick<ChatRequest, "tools" | "tool_choice"> {
  if (!tools?.length) return isSet(choice) && typeof choice === "string" ? { tool_choice: choice } : {};
  const given = tools.map(toTool);
  if (!isSet(choice)) return { tools: given };
  if (typeof choice === "string") return { tools: given, tool_choice: choice };
  if (choice?.type !== "allowed_tools") return { tools: given, tool_choice: toNamed(choice) };
  const allowed = { mode: choice.mode, tools: choice.tools.map(toNamed) };
  return { tools: given, tool_choice: { type: "allowed_tools", allowed_tools: allowed } };
}

function toTool(tool: ResponseTool): ChatTool {
  const { type, ...rest } = tool;
  if (type === "function") return chatToolSchema.parse({ type, function: rest });
  const { format } = tool;
  if (format?.type !== "grammar") return chatToolSchema.parse({ type, custom: rest });
  const { type: _, ...grammar } = format;
  return chatToolSchema.parse({ type, custom: { ...rest, format: { type: "grammar", grammar } } });
}

type NamedTool = { type: "function"; function: { name: string } } | { type: "custom"; custom: { name: string } };

function toNamed(tool: { type: "function" | "custom"; name: string }): NamedTool {
  return tool.type === "function"
    ? { type: "function", function: { name: tool.name } }
    : { type: "custom", custom: { name: tool.name } };
}

/** The conversation: neighbouring items of the assistant are one message, with all its calls. */
function toMessages({ instructions, input }: ResponseRequest, report: Report): ChatMessage[] {
  const messages: ChatMessage[] = isSet(instructions) ? [{ role: "system", content: instructions ?? "" }] : [];
  if (typeof input === "string") return [...messages, { role: "user", content: input }];
  let turn: AssistantTurn | null = null;
  const open = (): AssistantTurn => {
    if (turn !== null) return turn;
    turn = { role: "assistant", content: null };
    messages.push(turn);
    return turn;
  };
  for (const [at, item] of input.entries()) {
    const where = `input[${at}]`;
    // A message needs no type.
    switch (item.type ?? "message") {
      case "reasoning":
        addReasoning(open(), item);
        break;
      case "function_call":
      case "custom_tool_call":
        addCall(open(), item);
        break;
      default: {
        const message = toMessage(item, where, report);
        if (message?.role !== "assistant") turn = null;
        if (message?.role === "assistant" && turn?.content === null && turn.tool_calls === undefined) {
          Object.assign(turn, message);
        } else if (message !== null) {
          messages.push(message);
          turn = message.role === "assistant" ? message : null;
        }
      }
    }
  }
  return messages;
}

type AssistantTurn = ChatMessage & { tool_calls?: ToolCall[]; reasoning_content?: string };

function addReasoning(turn: AssistantTurn, item: InputItem): void {
  if (item.type !== "reasoning") return;
  const texts = item.content?.length ? item.content : item.summary;
  const text = texts.map((part) => part.text).join("\n");
  if (text !== "") turn.reasoning_content = text;
}

function addCall(turn: AssistantTurn, item: InputItem): void {
  const calls = turn.tool_calls ?? [];
  turn.tool_calls = calls;
  if (item.type === "function_call") {
    calls.push({ id: item.call_id, type: "function", function: { name: item.name, arguments: item.arguments } });
  } else if (item.type === "custom_tool_call") {
    calls.push({ id: item.call_id, type: "custom", custom: { name: item.name, input: item.input } });
  }
}

/** What is one message by itself. */
function toMessage(item: InputItem, where: string, report: Report): ChatMessage | null {
  switch (item.type) {
    case "function_call_output":
    case "custom_tool_call_output":
      return { role: "tool", tool_call_id: item.call_id, content: toContent(item.output, `${where}.output`, report) };
    case "item_reference":
      report(`${where}.id`, `No item with the id '${item.id}' is stored.`);
      return null;
    case "reasoning":
    case "function_call":
    case "custom_tool_call":
      return null;
    default:
      return { role: item.role, content: toContent(item.content, `${where}.content`, report) };
  }
}

function toContent(content: string | readonly InputPart[], where: string, report: Report): string | ContentPart[] {
  if (typeof content === "string") return content;
  const [first] = content;
  if (first === undefined) return "";
  // The usual form of a text, which is the same request.
  if (content.length === 1 && (first.type === "input_text" || first.type === "output_text")) return first.text;
  return content.flatMap((part, at) => {
    const found = toPart(part);
    if (typeof found !== "string") return [found];
    report(`${where}[${at}].${found}`, "It has no counterpart in a chat completion: send the data itself.");
    return [];
  });
}

/** The part in a chat completion's form, or the name of a field that has no counterpart there. */
function toPart(part: InputPart): ContentPart | string {
  switch (part.type) {
    case "input_text":
    case "output_text":
      return { type: "text", text: part.text };
    case "refusal":
      return { type: "refusal", refusal: part.refusal };
    case "input_audio":
      return { type: "input_audio", input_audio: part.input_audio };
    case "input_image": {
      const { image_url: url, detail } = part;
      if (!url) return isSet(part.file_id) ? "file_id" : "image_url";
      return { type: "image_url", image_url: { url, ...(detail && detail !== "original" ? { detail } : {}) } };
    }
    case "input_file": {
      if (isSet(part.file_url)) return "file_url";
      return { type: "file", file: pickSet(part, ["file_data", "file_id", "filename"]) };
    }
  }
}
