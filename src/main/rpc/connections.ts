import { type Connection, type ConnectionView, finalStatuses } from "#contract";
import { ServiceError } from "#main/base";
import {
  findLocalModels,
  findUnlisted,
  hasMcp,
  listModels,
  presets,
  readMcpStatus,
  setMcpEnabled,
  staysAt,
  testConnection,
} from "#main/connections";
import { os, type RpcContext } from "./base.ts";

const never = new AbortController().signal;

async function toView(connection: Connection, { connections, service }: RpcContext): Promise<ConnectionView> {
  const { batches } = service.batches.list({ limit: Number.POSITIVE_INFINITY });
  const isUnfinished = (batch: (typeof batches)[number]) =>
    batch.connection === connection.id && !finalStatuses.has(batch.status);
  return {
    ...connection,
    hasKey: (await connections.keyOf(connection)) !== null,
    hasMcpToken: (await connections.mcpTokenOf(connection)) !== null,
    hasMcp: hasMcp(connection),
    unfinishedBatches: batches.filter(isUnfinished).length,
  };
}

export async function openConnection(id: string, { connections }: RpcContext) {
  const connection = await connections.find(id);
  if (connection === undefined) throw new ServiceError("not_found", "This connection is no longer there.");
  return { connection, key: await connections.keyOf(connection) };
}

/**
 * What a page may save. A page that runs foreign code could have all that this machine keeps sent to an address of its choice: so it
 * names no variable of the environment, and another address drops whatever was entered for the one before. The command line does name
 * variables, which is why this is not the store's rule.
 * @throws ServiceError
 */
async function guardSecrets({ connection, key, mcpToken }: SaveInput, { connections }: RpcContext) {
  const { id, keyVariable, ...parts } = connection;
  const before = id === undefined ? undefined : (await connections.list()).find((other) => other.id === id);
  if (id !== undefined && before === undefined) {
    throw new ServiceError("not_found", "This connection is no longer there. Add it as a new one.", "id");
  }
  if (keyVariable !== null && keyVariable !== before?.keyVariable) {
    throw new ServiceError(
      "invalid_value",
      "The app takes no variable for a key. Enter the key itself.",
      "keyVariable",
    );
  }
  const isMoved = before !== undefined && !staysAt(parts.url, before.url);
  return {
    connection: { ...parts, ...(id !== undefined && { id }), keyVariable: isMoved ? null : keyVariable },
    key: isMoved ? (key ?? null) : key,
    mcpToken: isMoved ? (mcpToken ?? null) : mcpToken,
  };
}

interface SaveInput {
  readonly connection: Omit<Connection, "id"> & { readonly id?: string | undefined };
  readonly key?: string | null | undefined;
  readonly mcpToken?: string | null | undefined;
}

/** The user's connections. A key is accepted here, and never sent back. */
export const connections = os.connections.router({
  list: os.connections.list.handler(async ({ context }) =>
    Promise.all((await context.connections.list()).map((connection) => toView(connection, context))),
  ),
  presets: os.connections.presets.handler(() => [...presets]),
  findLocal: os.connections.findLocal.handler(({ context: { machine, modelPorts: ports } }) =>
    findLocalModels({ machine, ports }),
  ),
  save: os.connections.save.handler(async ({ context, input }) => {
    const { connection, key, mcpToken } = await guardSecrets(input, context);
    return toView(await context.connections.save(connection, key, mcpToken), context);
  }),
  remove: os.connections.remove.handler(async ({ context, input }) => {
    await context.connections.remove(input.id);
  }),
  test: os.connections.test.handler(async function* ({ context, input, signal = never }) {
    const { connection, key } = await openConnection(input.id, context);
    const parts = { key, machine: context.machine, ask: input.asks === true ? { model: null } : undefined };
    for await (const report of testConnection(connection, parts, signal)) {
      const mcp = report.works === null ? undefined : report.checks.find(({ what }) => what === "mcp");
      if (mcp !== undefined && mcp.state !== "fails") {
        await context.connections.learn(input.id, { hasMcp: mcp.state === "works" });
      }
      yield report;
    }
  }),
  retry: os.connections.retry.handler(({ context, input }) => context.connections.announce(input.id)),
  models: os.connections.models.handler(async ({ context, input, signal = never }) => {
    const { connection, key } = await openConnection(input.id, context);
    return listModels(connection, { key, machine: context.machine }, signal);
  }),
  unlisted: os.connections.unlisted.handler(async ({ context, input: { id, models }, signal = never }) => {
    const { connection, key } = await openConnection(id, context);
    return findUnlisted(connection, models, { key, machine: context.machine }, signal);
  }),
  mcpStatus: os.connections.mcpStatus.handler(async ({ context, input, signal = never }) => {
    const { connection } = await openConnection(input.id, context);
    return readMcpStatus(connection, { keys: context.connections, machine: context.machine, signal });
  }),
  mcpSetEnabled: os.connections.mcpSetEnabled.handler(async ({ context, input: { id, enabled }, signal = never }) => {
    const { connection } = await openConnection(id, context);
    return setMcpEnabled(connection, enabled, { keys: context.connections, machine: context.machine, signal });
  }),
});
