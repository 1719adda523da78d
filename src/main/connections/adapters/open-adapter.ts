import { adapterTable, type Connection } from "#contract";
import { hideSecret, type Machine } from "#main/base";
import { missingKeyOf, modelAt, presetOf } from "../connection-settings.ts";
import { createAnthropicBatchAdapter } from "./anthropic-batch.ts";
import type { BatchAdapter } from "./batch-adapter.ts";
import { createGeminiBatchAdapter } from "./gemini-batch.ts";
import type { ServerAddress } from "./http-client.ts";
import { createOpenaiBatchAdapter } from "./openai-batch.ts";
import type { RemoteBatch } from "./read-batch.ts";

/** Milliseconds without a byte from a service after which a request has failed. */
const usualTimeout = 120_000;

interface AddressDeps {
  readonly key: string | null;
  readonly machine: Machine;
  readonly timeout?: number | undefined;
}

/** Where a connection's server is, and with which key it is asked. */
export function addressOf(
  connection: Connection,
  { key, machine, timeout = usualTimeout }: AddressDeps,
): ServerAddress {
  const { keyHeader } = presetOf(connection);
  const missingKey = missingKeyOf(connection, key);
  return {
    name: connection.name,
    url: new URL(connection.url),
    key,
    missingKey,
    keyHeader,
    route: connection,
    machine,
    timeout,
  };
}

/** The adapter of a connection to a batch service; null for one whose lines are called one by one. */
export function openBatchAdapter(connection: Connection, parts: AddressDeps): BatchAdapter | null {
  return adapterTable[connection.adapter].hasBatches ? openAdapter(connection, addressOf(connection, parts)) : null;
}

/** Longer than a server takes to list its models, in milliseconds. */
const listTimeout = 15_000;

/** The names by which a connection's models can be asked for: those of its own table, then those that its server lists. */
export async function listModels(
  connection: Connection,
  parts: Omit<AddressDeps, "timeout">,
  signal: AbortSignal,
): Promise<string[]> {
  const adapter = openAdapter(connection, addressOf(connection, { ...parts, timeout: listTimeout }));
  try {
    const mapped = Object.keys(connection.models).filter((name) => name !== "*");
    return [...new Set([...mapped, ...(await adapter.models(signal))])];
  } finally {
    await adapter.close();
  }
}

/** The adapter, with the errors of whole batches without the key: services repeat it there, too. */
function openAdapter(connection: Connection, address: ServerAddress): BatchAdapter {
  const adapter = openOwnAdapter(connection, address);
  const hideKey = (text: string) => hideSecret(text, address.key);
  const clean = ({ errors, ...batch }: RemoteBatch): RemoteBatch => ({ ...batch, errors: errors.map(hideKey) });
  return {
    ...adapter,
    hideKey,
    create: async (submission, signal) => clean(await adapter.create(submission, signal)),
    get: async (id, signal) => clean(await adapter.get(id, signal)),
    async *list(signal) {
      for await (const batch of adapter.list(signal)) yield clean(batch);
    },
  };
}

/** A chat server lists its models as a batch service of the same API does. */
function openOwnAdapter(connection: Connection, address: ServerAddress): BatchAdapter {
  const model = modelAt(connection);
  switch (connection.adapter) {
    case "chat":
    case "openai-batch":
      return createOpenaiBatchAdapter(address, { ...presetOf(connection), window: connection.window, model });
    case "anthropic-batch":
      return createAnthropicBatchAdapter(address, { model });
    case "gemini-batch":
      return createGeminiBatchAdapter(address, { model });
  }
}
