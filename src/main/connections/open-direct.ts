import type { Connection } from "#contract";
import { createSystemClock, createUpstreamEngine, type Engine, type Ids } from "#service";
import { presetOf } from "./connection.ts";
import { ConnectionError } from "./connection-error.ts";
import type { ConnectionStore } from "./connection-store.ts";

/** Milliseconds without a piece of an answer. */
const timeout = 5 * 60_000;

/** Adapters whose services take direct calls at the same address, in the form of this API. */
const compatible: ReadonlySet<string> = new Set(["chat", "openai-batch"]);

/**
 * What answers single calls of a connection at once, whatever its batches go by; null when the connection is gone. Whoever
 * opened it closes it. Nothing is tried again unless told: somebody waits for the answer, and can ask again.
 * @throws ConnectionError for a service whose direct calls have another form
 */
export async function openDirect(
  store: Pick<ConnectionStore, "find" | "keyOf">,
  connectionId: string,
  ids: Ids,
  { retries = 0 }: { readonly retries?: number } = {},
): Promise<Engine | null> {
  const connection = await store.find(connectionId);
  if (connection === undefined) return null;
  if (!compatible.has(connection.adapter)) {
    const reason = `${presetOf(connection).name} is asked by batches only; choose another connection for single questions`;
    throw new ConnectionError("refused", connection.name, { reason });
  }
  return openChatServer(connection, await store.keyOf(connection), { timeout, retries, ids });
}

/** What sends single calls to a connection's address, as fast as the connection allows. */
export function openChatServer(
  { url, models, concurrency, requestsPerMinute, tokensPerMinute }: Connection,
  key: string | null,
  options: { readonly timeout: number; readonly retries: number; readonly ids: Ids },
): Engine {
  const limits = { concurrency, requestsPerMinute, tokensPerMinute };
  const clock = createSystemClock();
  return createUpstreamEngine({
    url: new URL(url),
    key,
    models: new Map(Object.entries(models)),
    ...limits,
    clock,
    ...options,
  });
}
