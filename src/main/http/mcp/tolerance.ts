import { z } from "zod";

const initializeSchema = z.looseObject({
  method: z.literal("initialize"),
  params: z.looseObject({ clientInfo: z.looseObject({}).nullish() }),
});
const callSchema = z.looseObject({
  method: z.literal("tools/call"),
  params: z.looseObject({ arguments: z.record(z.string(), z.unknown()).nullable() }),
});

/** A message as the protocol's library takes it: a client without a name is one, too, and null is an argument that is absent. */
export function completeMessage(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(completeMessage);
  const initialize = initializeSchema.safeParse(body).data;
  if (initialize !== undefined) {
    const { clientInfo } = initialize.params;
    const named = { name: "unknown", version: "0", ...dropNull(clientInfo) };
    return { ...initialize, params: { ...initialize.params, clientInfo: named } };
  }
  const call = callSchema.safeParse(body).data;
  if (call === undefined) return body;
  const { arguments: given, ...params } = call.params;
  return { ...call, params: given === null ? params : { ...params, arguments: dropNull(given) } };
}

function dropNull(members: Readonly<Record<string, unknown>> | null | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members ?? {}).filter(([, value]) => value !== null));
}

const textCallSchema = z.looseObject({
  id: z.union([z.string(), z.number()]),
  method: z.literal("tools/call"),
  params: z.looseObject({ arguments: z.string() }),
});

/** Whether it calls a tool with text in place of an object: a model writes its arguments as JSON text. */
export function hasTextArguments(body: unknown): body is z.infer<typeof textCallSchema> {
  return textCallSchema.safeParse(body).success;
}

/** A result for the model to read, as for all wrong arguments. */
export function answerTextArguments({ id }: { readonly id: string | number }): Response {
  const text = "Invalid arguments: 'arguments' is a string. Send it as a JSON object.";
  return Response.json({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }], isError: true } });
}

const failureSchema = z.looseObject({
  id: z.unknown(),
  error: z.object({ code: z.literal(-32_603), message: z.string() }),
});
const issuesSchema = z
  .array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
  .min(1);

/** An answer in which the library reports wrong parameters as a fault of its own, with one sentence in place of its findings. */
export async function describeParams(answer: Response): Promise<Response> {
  if (!answer.headers.get("content-type")?.startsWith("application/json")) return answer;
  const text = await answer.text();
  if (!text.includes("-32603")) return new Response(text, answer);
  const body: unknown = JSON.parse(text);
  const described = Array.isArray(body) ? body.map(describeFailure) : describeFailure(body);
  return Response.json(described, { status: answer.status, headers: answer.headers });
}

function describeFailure(message: unknown): unknown {
  const failure = failureSchema.safeParse(message).data;
  const issues = failure === undefined ? undefined : issuesSchema.safeParse(parse(failure.error.message)).data;
  const [issue] = issues ?? [];
  if (failure === undefined || issue === undefined) return message;
  const place = issue.path.length === 0 ? "the message" : `'${issue.path.join(".")}'`;
  return { ...failure, error: { code: -32_602, message: `Invalid params: ${place}: ${issue.message}.` } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
