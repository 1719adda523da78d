import { join } from "node:path";
import { z } from "zod";
import type { SecretName, SecretView, ServerView } from "#contract";
import {
  createHttpApp,
  createQueue,
  type DialectName,
  type Logger,
  readJsonFile,
  type SecretStore,
  type Service,
  type Tier,
  writeJsonFile,
} from "#service";
import { ensureApiKey, makeApiKey } from "../secrets/index.ts";
import { type LocalServer, listenLocally, ServerError, toLocalUrl } from "./listen-locally.ts";

export interface ServerSwitchOptions {
  /** The app's own: what clients send shows there. */
  readonly service: Service;
  /** Where the server's key is stored; the one in which the service stores its MCP token. */
  readonly secrets: SecretStore;
  /** Where the port, and whether the server is on, are remembered. */
  readonly dataDir: string;
  /** Whose limits the service holds; `standard` by default. */
  readonly tier?: Tier;
}

/** Switches the app's own mock server. Every change is reported to the listeners, whoever made it. */
export interface ServerSwitch {
  view(): Promise<ServerView>;
  /** Listens on 127.0.0.1; where it listens already, it moves. Fails with a ServerError when the port can't be had. */
  start(port: number): Promise<ServerView>;
  stop(): Promise<ServerView>;
  enableMcp(): Promise<ServerView>;
  disableMcp(): Promise<ServerView>;
  /** The value itself. Fails with a ServerError when there is no MCP token yet; an API key is made on first use. */
  reveal(name: SecretName): Promise<string>;
  /** Makes a new one: the old one is refused from then on. */
  rotate(name: SecretName): Promise<ServerView>;
  /** Calls the listener after every change. The answer stops it. */
  subscribe(listener: () => void): () => void;
  /** Stops the server. What the user had switched on is on again at the next start of the app. */
  close(): Promise<void>;
}

const dialect: DialectName = "service";

/** Opens the switch; the server listens again when it was on as the app ended. */
export async function createServerSwitch(options: ServerSwitchOptions): Promise<ServerSwitch> {
  const { service, secrets, dataDir, tier = "standard" } = options;
  const { mcp, engine, logger } = service;
  const settings = await openSettings(dataDir, logger);
  const inTurn = createQueue();
  const listeners = new Set<() => void>();
  /** Null until it is first asked for: a keychain may ask its user. */
  let apiKey: string | null = null;
  let running: LocalServer | null = null;

  function notify(): void {
    for (const listener of [...listeners]) listener();
  }

  async function view(): Promise<ServerView> {
    const url = toLocalUrl(running?.port ?? settings.read().port);
    const [key, { enabled, token }] = await Promise.all([apiKey ?? secrets.get("api_key"), mcp.state()]);
    return {
      server: {
        running: running !== null,
        url,
        port: running?.port ?? settings.read().port,
        key: toSecretView(key),
        engine: engine.description,
        tier,
        dialect,
      },
      mcp: { enabled, url: `${url}/v1/mcp`, token: toSecretView(token) },
      secrets: { kind: secrets.kind, note: secrets.note },
    };
  }

  /** One change at a time, in the order in which they were asked for. One that fails may have got half-way: it is reported, too. */
  function change(work: () => Promise<void>): Promise<ServerView> {
    return inTurn(async () => {
      try {
        await work();
      } finally {
        notify();
      }
      return await view();
    });
  }

  async function readKey(): Promise<string> {
    apiKey ??= (await ensureApiKey(secrets)).value;
    return apiKey;
  }

  async function listen(port: number): Promise<LocalServer> {
    if (running !== null && running.port === port) return running;
    const first = await readKey();
    const app = createHttpApp({ service, apiKey: () => apiKey ?? first });
    const before = running;
    running = await listenLocally(app, port);
    await before?.close();
    return running;
  }

  async function stopListening(): Promise<void> {
    const before = running;
    running = null;
    await before?.close();
  }

  const unsubscribe = mcp.subscribe(notify);
  if (settings.read().on) {
    await listen(settings.read().port).catch((error: unknown) => {
      logger.warn("the mock server could not be started again", { error: String(error) });
    });
  }

  return {
    view,
    start: (port) =>
      change(async () => {
        const started = await listen(port);
        await settings.change({ on: true, port: started.port });
      }),
    stop: () =>
      change(async () => {
        await stopListening();
        await settings.change({ on: false });
      }),
    enableMcp: () => change(async () => void (await mcp.enable())),
    disableMcp: () => change(() => mcp.disable()),
    reveal: (name) =>
      inTurn(async () => {
        if (name === "mcp_token") {
          const { token } = await mcp.state();
          if (token !== null) return token;
          throw new ServerError("not_found", "There is no MCP token yet. Turn the MCP endpoint on: that makes one.");
        }
        const key = await readKey();
        notify();
        return key;
      }),
    rotate: (name) =>
      change(async () => {
        if (name === "mcp_token") {
          await mcp.rotate();
          return;
        }
        const next = makeApiKey();
        await secrets.set("api_key", next);
        apiKey = next;
      }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () =>
      inTurn(async () => {
        unsubscribe();
        await stopListening();
      }),
  };
}

/** Enough to recognize a secret for whoever knows it; nothing of a short one. */
function toSecretView(value: string | null): SecretView {
  if (value === null) return { lastFour: null };
  return { lastFour: value.length < 16 ? "" : value.slice(-4) };
}

const settingsSchema = z.object({
  /** Whether the user left the server on. */
  on: z.boolean(),
  port: z.int().min(1).max(65_535),
});
type ServerSettings = z.infer<typeof settingsSchema>;

/** Off, and where `sheaf serve` is too: snippets and clients fit both. */
const initial: ServerSettings = { on: false, port: 4747 };

/** What is remembered of the server from one start of the app to the next. Nothing in it is secret. */
interface SettingsFile {
  read(): ServerSettings;
  change(change: Partial<ServerSettings>): Promise<void>;
}

/** Opens `server.json`. One that can't be read is passed over: the server is off then, on its usual port. */
async function openSettings(dataDir: string, logger: Logger): Promise<SettingsFile> {
  const path = join(dataDir, "server.json");
  let settings = initial;
  try {
    const stored = await readJsonFile(path);
    if (stored !== undefined) settings = settingsSchema.parse(stored);
  } catch (error) {
    logger.warn("the server's settings can't be read", { path, error: error instanceof Error ? error.name : "" });
  }
  return {
    read: () => settings,
    async change(change) {
      settings = { ...settings, ...change };
      await writeJsonFile(path, settings);
    },
  };
}
