import { createAnthropicBatchAdapter } from "./anthropic-batch.ts";
import type { BatchAdapter } from "./batch-adapter.ts";
import { type Connection, modelAt, presetOf } from "./connection.ts";
import { createGeminiBatchAdapter } from "./gemini-batch.ts";
import type { ServerAddress } from "./http-client.ts";
import { createOpenaiBatchAdapter } from "./openai-batch.ts";

/** Milliseconds without a byte from a service after which a request has failed. */
const usualTimeout = 120_000;

/** Where a connection's server is, and with which key it is asked. */
export function addressOf(connection: Connection, key: string | null, timeout = usualTimeout): ServerAddress {
  const { keyHeader } = presetOf(connection);
  return { name: connection.name, url: new URL(connection.url), key, keyHeader, timeout };
}

/** The adapter of a connection to a batch service; null for one whose lines are called one by one. */
export function openBatchAdapter(connection: Connection, key: string | null): BatchAdapter | null {
  const address = addressOf(connection, key);
  const model = modelAt(connection);
  switch (connection.adapter) {
    case "chat":
      return null;
    case "openai-batch":
      return createOpenaiBatchAdapter(address, { ...presetOf(connection), window: connection.window, model });
    case "anthropic-batch":
      return createAnthropicBatchAdapter(address, { model });
    case "gemini-batch":
      return createGeminiBatchAdapter(address, { model });
  }
}
