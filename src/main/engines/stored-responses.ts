import { type InputItem, type ModelResponse, type OutputItem, type ResponseRequest, responseSchema } from "#contract";
import type { EngineError } from "#main/base";
import type { JsonObject } from "#main/requests";
import { createEngineError } from "./engine-error.ts";

/** Most that are kept of each scope. */
const mostResponses = 1_000;

/** A response, and all that it was asked with, what came before it included. */
export interface StoredResponse {
  readonly response: ModelResponse;
  readonly input: readonly OutputItem[];
}

/** The newest responses of each scope, in memory: they end with the process. */
export interface StoredResponses {
  find(scope: string, id: string): StoredResponse | undefined;
  /** Whether there was one. */
  remove(scope: string, id: string): boolean;
  /** Forgets all of a scope. */
  clear(scope: string): void;
  /** The request with what it refers to in its input: the responses before it, and single items. Or why that can't be. */
  expand(scope: string, request: ResponseRequest): Expanded;
  /** Stores the answer to an expanded request, unless it asks not to. */
  add(scope: string, request: ResponseRequest, response: unknown): void;
}

type Expanded =
  | { readonly request: ResponseRequest; readonly error?: never }
  | { readonly request?: never; readonly error: EngineError };

export function createStoredResponses(): StoredResponses {
  const scopes = new Map<string, Map<string, StoredResponse>>();
  const of = (scope: string) => scopes.get(scope) ?? new Map<string, StoredResponse>();

  function findItem(scope: string, id: string): JsonObject | undefined {
    for (const { response, input } of [...of(scope).values()].reverse()) {
      const found = [...response.output, ...input].find((item) => item.id === id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The items that a response is asked with after the one before it. */
  function listHistory({ response, input }: StoredResponse): JsonObject[] {
    return [...input, ...response.output];
  }

  return {
    find: (scope, id) => of(scope).get(id),
    remove: (scope, id) => of(scope).delete(id),
    clear: (scope) => void scopes.delete(scope),
    expand(scope, request) {
      const { previous_response_id: previousId } = request;
      const previous = previousId ? of(scope).get(previousId) : undefined;
      if (previousId && previous === undefined) {
        const message = `Previous response with id '${previousId}' not found.`;
        const param = "previous_response_id";
        return { error: createEngineError({ status: 400, message, code: "previous_response_not_found", param }) };
      }
      const own = listItems(request).map((item) =>
        item.type === "item_reference" && typeof item.id === "string" ? (findItem(scope, item.id) ?? item) : item,
      );
      // What was stored is what was taken and answered here.
      const input = [...(previous === undefined ? [] : listHistory(previous)), ...own] as InputItem[];
      return { request: { ...request, input } };
    },
    add(scope, request, body) {
      const { success, data: response } = responseSchema.safeParse(body);
      if (!success || request.store === false) return;
      const kept = of(scope);
      scopes.set(scope, kept);
      kept.set(response.id, { response, input: nameItems(listItems(request), response.id) });
      const [oldest] = kept.keys();
      if (kept.size > mostResponses && oldest !== undefined) kept.delete(oldest);
    },
  };
}

function listItems({ input }: ResponseRequest): readonly JsonObject[] {
  if (typeof input === "string")
    return [{ type: "message", role: "user", content: [{ type: "input_text", text: input }] }];
  return input;
}

/** Every stored item has an id and a type. */
function nameItems(items: readonly JsonObject[], responseId: string): OutputItem[] {
  return items.map((item, at) => ({
    id: `msg_${responseId.replace(/^resp_/, "")}in${at}`,
    type: "message",
    ...item,
  }));
}
