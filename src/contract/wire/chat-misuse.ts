import type { z } from "zod";
import { type ChatRequest, mostBias, reasoningEfforts, toolName } from "./chat.ts";
import { metadataSchema } from "./metadata.ts";

type Issue = z.core.$ZodIssue;
type JsonObject = Readonly<Record<string, unknown>>;
type Report = (path: PropertyKey[], message: string) => void;

const namePattern = /^[\w-]{1,64}$/;
const nameRule = "A name has 1 to 64 letters, digits, '_' and '-'.";
/** Schemas that are nested deeper are left to those who compose values by them. */
const deepestSchema = 100;

/**
 * What the compatible API refuses in a request that could well be answered: strict schemas that are none, calls of tools that
 * no message answers, names and values that it doesn't take. The request has passed `chatRequestSchema`.
 */
export function listMisuse(request: ChatRequest): Issue[] {
  const issues: Issue[] = [];
  const report: Report = (path, message) => issues.push({ code: "custom", path, message, input: undefined });
  checkRanges(request, report);
  checkNames(request, report);
  checkStrictSchemas(request, report);
  checkToolMessages(request.messages, report);
  const metadata = request.metadata === null ? undefined : metadataSchema.optional().safeParse(request.metadata);
  for (const issue of metadata?.error?.issues ?? []) issues.push({ ...issue, path: ["metadata", ...issue.path] });
  return issues;
}

/** Parameters whose ranges are the API's alone: any engine could take other values. */
const ownRanges = new Set([
  "temperature",
  "top_p",
  "presence_penalty",
  "frequency_penalty",
  "stop",
  "tools",
  "functions",
]);

/** Whether an issue of `chatRequestSchema` is about such a range. */
export function isOwnRange({ code, path: [field] }: Issue): boolean {
  return (code === "too_big" || code === "too_small") && ownRanges.has(String(field));
}

function checkRanges(request: ChatRequest, report: Report): void {
  const { reasoning_effort: effort, logit_bias: bias, stream, stream_options: options } = request;
  if (isSet(effort) && !reasoningEfforts.some((known) => known === effort)) {
    report(["reasoning_effort"], `It is one of ${reasoningEfforts.map((known) => `"${known}"`).join(", ")}.`);
  }
  if (isSet(options) && stream !== true) report(["stream_options"], "It is taken where stream is true only.");
  if (!isSet(bias)) return;
  if (!isObject(bias)) report(["logit_bias"], "It is an object: a number for each id of a token.");
  for (const [token, value] of Object.entries(isObject(bias) ? bias : {})) {
    const isInRange = typeof value === "number" && Math.abs(value) <= mostBias;
    if (!isInRange) report(["logit_bias", token], `A bias is a number from -${mostBias} to ${mostBias}.`);
    else if (!/^\d{1,9}$/.test(token)) report(["logit_bias", token], "Its key is no id of a token.");
  }
}

/** Names of tools, of functions and of formats. */
function checkNames({ tools, functions, response_format: format }: ChatRequest, report: Report): void {
  const named = [
    ...(tools ?? []).map((tool, at) => ({ path: ["tools", at, tool.type, "name"], name: toolName(tool) })),
    ...(functions ?? []).map(({ name }, at) => ({ path: ["functions", at, "name"], name })),
  ];
  const seen = new Set<string>();
  for (const { path, name } of named) {
    if (!namePattern.test(name)) report(path, nameRule);
    else if (seen.has(name)) report(path, "An earlier tool has this name.");
    seen.add(name);
  }
  const schema = format?.type === "json_schema" ? format.json_schema : undefined;
  if (schema !== undefined && !namePattern.test(schema.name)) {
    report(["response_format", "json_schema", "name"], nameRule);
  }
}

/** A model can be held to a schema whose objects name all that they have, and have all of it. */
function checkStrictSchemas({ tools, response_format: format }: ChatRequest, report: Report): void {
  for (const [at, tool] of (tools ?? []).entries()) {
    if (tool.type !== "function" || tool.function.strict !== true) continue;
    checkStrictSchema(tool.function.parameters, ["tools", at, "function", "parameters"], report);
  }
  const schema = format?.type === "json_schema" ? format.json_schema : undefined;
  if (schema?.strict === true) checkStrictSchema(schema.schema, ["response_format", "json_schema", "schema"], report);
}

const partLists = ["anyOf", "allOf", "oneOf", "prefixItems"];
const partMaps = ["properties", "$defs", "definitions"];

function checkStrictSchema(schema: unknown, path: PropertyKey[], report: Report, depth = 0): void {
  if (!isObject(schema) || depth > deepestSchema) return;
  const { type, properties, required, additionalProperties } = schema;
  if (type === "object" || isObject(properties)) {
    const names = isObject(properties) ? Object.keys(properties) : [];
    const demanded = new Set<unknown>(Array.isArray(required) ? required : []);
    const optional = names.find((name) => !demanded.has(name));
    if (additionalProperties !== false) {
      report([...path, "additionalProperties"], "With strict: true it has to be false.");
    }
    if (optional !== undefined) {
      report([...path, "required"], `With strict: true it has to list every property; '${optional}' is not in it.`);
    }
  }
  const check = (part: unknown, ...at: PropertyKey[]) => checkStrictSchema(part, [...path, ...at], report, depth + 1);
  check(schema.items, "items");
  for (const list of partLists) {
    const parts = schema[list];
    if (Array.isArray(parts)) for (const [at, part] of parts.entries()) check(part, list, at);
  }
  for (const map of partMaps) {
    const parts = schema[map];
    if (isObject(parts)) for (const [name, part] of Object.entries(parts)) check(part, map, name);
  }
}

/** Messages of the role `tool` answer the calls of the assistant's message before them, all of them. */
function checkToolMessages(messages: ChatRequest["messages"], report: Report): void {
  let open = new Map<string, number>();
  let known: ReadonlySet<string> = new Set();

  function close(): void {
    const [first] = open;
    if (first === undefined) return;
    const [id, at] = first;
    report(
      ["messages", at, "tool_calls"],
      `A message of the role tool has to answer each call; none has the id '${id}'.`,
    );
    open = new Map();
  }

  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") {
      const { tool_call_id: id } = message;
      if (typeof id !== "string")
        report(["messages", at, "tool_call_id"], "It names the call that the message answers.");
      else if (!known.has(id)) report(["messages", at, "tool_call_id"], "No call of the message before has this id.");
      else open.delete(id);
      continue;
    }
    close();
    known = new Set(message.role === "assistant" ? listCallIds(message.tool_calls) : []);
    open = new Map([...known].map((id) => [id, at]));
  }
  close();
}

function listCallIds(calls: unknown): string[] {
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call) => (isObject(call) && typeof call.id === "string" ? [call.id] : []));
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
