import { asIndex, asObject, isObject, type JsonObject, listObjects, listOf } from "#main/base";

/** Puts the chunks of a streamed chat completion together to the answer that they are pieces of. */
export interface ChunkJoiner {
  add(chunk: JsonObject): void;
  /** The answer so far; null where there was no chunk with a choice. */
  answer(): JsonObject | null;
  /** Whether each of its choices has come to an end. */
  isEnded(): boolean;
}

/** Members of a message that come in pieces of text. */
const pieces: ReadonlySet<string> = new Set(["content", "refusal", "reasoning_content", "reasoning", "thinking"]);
const callPieces: ReadonlySet<string> = new Set(["arguments", "input"]);

export function createChunkJoiner(): ChunkJoiner {
  let head: Record<string, unknown> = {};
  const choices: Record<string, unknown>[] = [];

  return {
    add({ choices: given, ...rest }) {
      head = { ...head, ...pickSet(rest) };
      for (const [at, { delta, message, logprobs, ...choice }] of listObjects(given).entries()) {
        const index = asIndex(choice.index, at);
        const before = choices[index] ?? { index, message: {} };
        choices[index] = {
          ...before,
          ...pickSet(choice),
          message: joinMembers(asObject(before.message), asObject(delta ?? message), pieces),
          ...(isObject(logprobs) && { logprobs: joinMembers(asObject(before.logprobs), logprobs, pieces) }),
        };
      }
    },
    answer() {
      const given = choices.filter((choice) => choice !== undefined);
      if (given.length === 0) return null;
      const joined = given.map((choice) => ({
        ...choice,
        message: { role: "assistant", content: null, ...asObject(choice.message) },
      }));
      return { ...head, object: "chat.completion", choices: joined };
    },
    isEnded: () => choices.length > 0 && choices.every(({ finish_reason: reason }) => typeof reason === "string"),
  };
}

/** Members that say something: a chunk has null for what it adds nothing to. */
function pickSet(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined));
}

function joinMembers(before: JsonObject, added: JsonObject, inPieces: ReadonlySet<string>): JsonObject {
  const joined: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(pickSet(added))) {
    if (name === "tool_calls") joined[name] = joinCalls(listObjects(joined[name]), listObjects(value));
    else if (name === "function_call") joined[name] = joinMembers(asObject(joined[name]), asObject(value), callPieces);
    else if (typeof value === "string" && typeof joined[name] === "string" && inPieces.has(name)) joined[name] += value;
    else if (Array.isArray(value) || Array.isArray(joined[name]))
      joined[name] = [...toParts(joined[name]), ...toParts(value)];
    else joined[name] = value;
  }
  return joined;
}

/** Parts of a content; a text is one. */
function toParts(value: unknown): readonly unknown[] {
  return typeof value === "string" ? (value === "" ? [] : [{ type: "text", text: value }]) : listOf(value);
}

/** A piece of a call goes to the call of its index; one without goes to its place in the chunk. */
function joinCalls(before: readonly JsonObject[], added: readonly JsonObject[]): readonly JsonObject[] {
  const calls = [...before];
  for (const [at, { index, function: called, custom, ...call }] of added.entries()) {
    const place = asIndex(index, at);
    const known = calls[place] ?? {};
    calls[place] = {
      ...known,
      ...pickSet(call),
      ...(isObject(called) && { function: joinMembers(asObject(known.function), called, callPieces) }),
      ...(isObject(custom) && { custom: joinMembers(asObject(known.custom), custom, callPieces) }),
    };
  }
  return calls.filter((call) => call !== undefined);
}
