import type { AdapterName, Connection } from "#contract";
import { createSystemClock, type Engine, type Ids, type Machine } from "#main/base";
import { createUpstreamEngine, type UpstreamApi, type UpstreamOptions } from "#main/engines";
import { anthropicApi } from "../adapters/anthropic-api.ts";
import { geminiApi } from "../adapters/gemini-api.ts";
import { presetOf } from "../connection-settings.ts";
import type { ConnectionStore } from "../connection-store.ts";

/** The longest pause between two pieces of an answer, in milliseconds. */
const timeout = 5 * 60_000;

/** The APIs of services whose single calls are no chat completions. */
const otherApis: Partial<Readonly<Record<AdapterName, UpstreamApi>>> = {
  "anthropic-batch": anthropicApi,
  "gemini-batch": geminiApi,
};

interface DirectOptions {
  readonly ids: Ids;
  readonly machine: Machine;
  readonly retries?: number;
  /** The service's own name of the model that answers; replaces the model of each request. */
  readonly model?: string | null;
}

/**
 * Answers single calls of a connection directly, also where its lines are sent as batches; null when the connection is gone.
 * The caller closes it. Default: no retries, since a user waits for the answer and can ask again.
 */
export async function openDirect(
  store: Pick<ConnectionStore, "find" | "keyOf">,
  connectionId: string,
  { ids, machine, retries = 0, model = null }: DirectOptions,
): Promise<Engine | null> {
  const connection = await store.find(connectionId);
  if (connection === undefined) return null;
  const asked = model === null ? connection : { ...connection, models: { "*": model } };
  return openDirectEngine(asked, await store.keyOf(connection), { timeout, retries, ids, machine });
}

/** Sends single calls to a connection's address, within the connection's limits. */
export function openDirectEngine(
  connection: Connection,
  key: string | null,
  {
    machine,
    ...options
  }: Pick<UpstreamOptions, "timeout" | "retries" | "lineRetries" | "ids"> & { readonly machine: Machine },
): Engine {
  const { adapter, url, models, concurrency, requestsPerMinute, tokensPerMinute } = connection;
  const api = otherApis[adapter];
  return createUpstreamEngine({
    url: new URL(url),
    key,
    keyHeader: presetOf(connection).keyHeader,
    route: connection,
    ...(api === undefined ? {} : { api }),
    models: new Map(Object.entries(models)),
    concurrency,
    requestsPerMinute,
    tokensPerMinute,
    clock: createSystemClock(machine),
    ...options,
  });
}
