import { z } from "zod";

const initializeSchema = z.looseObject({
  method: z.literal("initialize"),
  params: z.looseObject({ clientInfo: z.undefined().optional() }),
});
const callSchema = z.looseObject({
  method: z.literal("tools/call"),
  params: z.looseObject({ arguments: z.record(z.string(), z.unknown()) }),
});

/** A message as the protocol's library takes it: a client without a name is one, too, and null is an argument that is absent. */
export function completeMessage(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(completeMessage);
  const initialize = initializeSchema.safeParse(body).data;
  if (initialize !== undefined) {
    return { ...initialize, params: { ...initialize.params, clientInfo: { name: "unknown", version: "0" } } };
  }
  const call = callSchema.safeParse(body).data;
  if (call === undefined) return body;
  const given = Object.entries(call.params.arguments).filter(([, value]) => value !== null);
  return { ...call, params: { ...call.params, arguments: Object.fromEntries(given) } };
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
  const failure = text.includes("-32603") ? failureSchema.safeParse(JSON.parse(text)).data : undefined;
  const issues = failure === undefined ? undefined : issuesSchema.safeParse(parse(failure.error.message)).data;
  const [issue] = issues ?? [];
  if (failure === undefined || issue === undefined) return new Response(text, answer);
  const place = issue.path.length === 0 ? "the message" : `'${issue.path.join(".")}'`;
  const error = { code: -32_602, message: `Invalid params: ${place}: ${issue.message}.` };
  const { headers } = answer;
  return Response.json({ ...failure, error }, { status: answer.status, headers });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
