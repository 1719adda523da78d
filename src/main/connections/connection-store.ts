import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { type Connection, connectionSchema, cutKey, type ObservedCapabilities } from "#contract";
import { createQueue, type SecretStore } from "#main/base";
import { commandWrites, readJsonFile, type WriteRules, withFileLock, writeJsonFile } from "#main/storage";
import { findMcpUrl, staysAt } from "./connection-settings.ts";

/** The connections of a data folder, shared by the app and the commands: each call reads the file anew. */
export interface ConnectionStore {
  /** Whether stored keys outlive this process: not where there is no place for them, or the last one could not be stored. */
  readonly keepsKeys: boolean;
  list(): Promise<readonly Connection[]>;
  /** By id or name. */
  find(idOrName: string): Promise<Connection | undefined>;
  /**
   * Stores a new connection, or a changed one under its id. The key: text stores it, null removes it, undefined leaves it;
   * another address always removes the old one. The same holds for the token of its MCP endpoint.
   * Rejects with a ConnectionNameError when another connection has the name.
   */
  save(connection: NewConnection | Connection, key?: string | null, mcpToken?: string | null): Promise<Connection>;
  /** Stores capabilities that a batch showed of its service, without an announcement: running batches know them already. */
  learn(id: string, seen: Partial<ObservedCapabilities>): Promise<void>;
  /** Its batches keep their answers. False where there is none. */
  remove(id: string): Promise<boolean>;
  /** The key of a connection: the variable's value where it names one, else the stored one. Cut as `cutKey` does. */
  keyOf(connection: Connection): Promise<string | null>;
  /** The token of its MCP endpoint. */
  mcpTokenOf(connection: Connection): Promise<string | null>;
  /** Stores the token that its service issued, without an announcement: no batch uses it. */
  keepMcpToken(connection: Connection, token: string): Promise<void>;
  /** Sets how the file is written from now on, where this process has opened the folder as its own; before: as commands do. */
  setWriteRules(rules: WriteRules): void;
  /** Calls the listeners for a connection that may answer again. */
  announce(id: string): void;
  /** Calls the listener with the id of each connection that was changed here. Returns a function that unsubscribes it. */
  subscribe(listener: (id: string) => void): () => void;
}

/** A connection that has no id yet. What is left out has the schema's default. */
export type NewConnection = Omit<z.input<typeof connectionSchema>, "id"> & { readonly id?: undefined };

/** Another connection has the name already. */
export class ConnectionNameError extends Error {
  override readonly name = "ConnectionNameError";
}

/** A file with connections that can't be understood; it is left as it is. */
export class ConnectionFileError extends Error {
  override readonly name = "ConnectionFileError";
}

const fileSchema = z.object({ version: z.literal(1), connections: z.array(connectionSchema) });

/** Only the user may read or write it. */
const mode = 0o600;

/** The store of a data folder. `env` has the variables that keys may be in. */
export function createConnectionStore(
  dataDir: string,
  secrets: SecretStore,
  env: Readonly<Record<string, string | undefined>>,
): ConnectionStore {
  const path = join(dataDir, "connections.json");
  const queue = createQueue();
  let writeRules = commandWrites;
  /** Other processes change the file, too. */
  const inTurn = <T>(task: () => Promise<T>) =>
    queue(async () => {
      writeRules.assertHeld();
      return await withFileLock(path, task);
    });
  const listeners = new Set<(id: string) => void>();

  async function read(): Promise<Connection[]> {
    const stored = await readJsonFile(path).catch(() => null);
    if (stored === undefined) return [];
    const { data } = fileSchema.safeParse(stored);
    if (data === undefined) {
      throw new ConnectionFileError(
        `${path} has no readable connections, and was not changed. Repair the data folder to move it to quarantine.`,
      );
    }
    return data.connections;
  }

  async function write(connections: readonly Connection[]): Promise<void> {
    await writeJsonFile(path, { version: 1, connections }, writeRules, mode);
  }

  function announce(id: string): void {
    for (const listener of listeners) listener(id);
  }

  return {
    get keepsKeys() {
      return secrets.kind !== "memory";
    },
    list: read,
    async find(idOrName) {
      const connections = await read();
      return connections.find(({ id }) => id === idOrName) ?? connections.find(({ name }) => name === idOrName);
    },
    save: (given, key, mcpToken) =>
      inTurn(async () => {
        const connections = await read();
        const id = given.id ?? `conn_${randomBytes(6).toString("hex")}`;
        const before = connections.find((other) => other.id === id);
        const parsed = connectionSchema.parse({ ...given, id });
        // A key, stored or in a variable, is for the address that it was entered for and the paths below it.
        const isMoved = before !== undefined && !staysAt(parsed.url, before.url);
        const keepsVariable = !isMoved || before.keyVariable !== parsed.keyVariable;
        const connection = {
          ...parsed,
          ...(keepsVariable ? {} : { keyVariable: null }),
          // What was observed of the service outlives a change of the settings.
          ...(before !== undefined && !isMoved ? { learned: before.learned } : {}),
        };
        if (connections.some((other) => other.id !== id && other.name === connection.name)) {
          throw new ConnectionNameError(`There is a connection called ${connection.name} already.`);
        }
        const next = key === undefined && isMoved ? null : key;
        if (next === null) await secrets.remove(`connection:${id}`);
        else if (next !== undefined) await secrets.set(`connection:${id}`, next);
        const isMcpMoved = before !== undefined && findMcpUrl(before) !== findMcpUrl(connection);
        const nextToken = mcpToken === undefined && isMcpMoved ? null : mcpToken;
        if (nextToken === null) await secrets.remove(`connection-mcp:${id}`);
        else if (nextToken !== undefined) await secrets.set(`connection-mcp:${id}`, nextToken);
        await write(
          before === undefined
            ? [...connections, connection]
            : connections.map((other) => (other.id === id ? connection : other)),
        );
        announce(id);
        return connection;
      }),
    learn: (id, seen) =>
      inTurn(async () => {
        const connections = await read();
        await write(connections.map((one) => (one.id === id ? { ...one, learned: { ...one.learned, ...seen } } : one)));
      }),
    remove: (id) =>
      inTurn(async () => {
        const connections = await read();
        const rest = connections.filter((other) => other.id !== id);
        if (rest.length === connections.length) return false;
        await write(rest);
        await secrets.remove(`connection:${id}`);
        await secrets.remove(`connection-mcp:${id}`);
        announce(id);
        return true;
      }),
    async keyOf({ id, keyVariable }) {
      const text = keyVariable === null ? await secrets.get(`connection:${id}`) : env[keyVariable];
      return cutKey(text ?? "") || null;
    },
    async mcpTokenOf({ id }) {
      return cutKey((await secrets.get(`connection-mcp:${id}`)) ?? "") || null;
    },
    async keepMcpToken({ id }, token) {
      writeRules.assertHeld();
      await secrets.set(`connection-mcp:${id}`, token);
    },
    setWriteRules(rules) {
      writeRules = rules;
    },
    announce,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
