import { chatMessageSchema, chatRequestSchema } from "#contract";

type JsonObject = Readonly<Record<string, unknown>>;

const fields = new Map(Object.entries(chatRequestSchema.shape));
const roles: ReadonlySet<unknown> = new Set(chatMessageSchema.shape.role.options);
/** What the schema holds against other fields. */
const tied = new Set(["top_logprobs", "tool_choice"]);

/**
 * Whether a body is one that the schema surely takes, as nearly all are: messages in plain text and simple parameters. The
 * schema takes several times as long to say so. What this says no to may still be right: the schema has the last word.
 */
export function isPlainRequest(body: JsonObject): boolean {
  if (typeof body.model !== "string" || !isPlainMessages(body.messages)) return false;
  for (const name of Object.keys(body)) {
    if (name !== "model" && name !== "messages" && !isPlainParameter(name, body[name])) return false;
  }
  return true;
}

function isPlainMessages(messages: unknown): boolean {
  return Array.isArray(messages) && messages.length > 0 && messages.every(isPlainMessage);
}

function isPlainMessage(message: unknown): boolean {
  if (typeof message !== "object" || message === null || Array.isArray(message)) return false;
  const { role, content }: { role?: unknown; content?: unknown } = message;
  return typeof content === "string" && roles.has(role);
}

function isPlainParameter(name: string, value: unknown): boolean {
  const field = fields.get(name);
  if (field === undefined) return true;
  return typeof value !== "object" && !tied.has(name) && field.safeParse(value).success;
}
