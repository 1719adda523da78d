import type { RuleProblem, SecretName, SecretView, ServerChange, ServerView } from "#contract";
import { type AdjustableClock, createQueue, type SecretStore } from "#main/base";
import { createRequestLog, openHttpApp, type RequestLog } from "#main/http";
import { ensureApiKey, makeApiKey } from "#main/secrets";
import type { Service } from "#main/service";
import { createControls, type MockSettings, type ServerControls, type Upstreams } from "./controls.ts";
import { type LocalServer, listenLocally, ServerError, toLocalUrl } from "./listen-locally.ts";
import { openSettings } from "./settings.ts";

export interface ServerSwitchOptions {
  /** The app's own: what clients send shows there. */
  readonly service: Service;
  /** Where the server's key is stored; the one in which the service stores its MCP token. */
  readonly secrets: SecretStore;
  /** Where the port, and whether the server is on, are remembered. */
  readonly dataDir: string;
  /** The service's own, to be turned forward. */
  readonly clock: AdjustableClock;
  readonly mock: MockSettings;
  readonly upstreams: Upstreams;
}

/** Switches the app's own mock server. Every change is reported to the listeners, wherever it was made. */
export interface ServerSwitch {
  view(): Promise<ServerView>;
  /** Listens on 127.0.0.1; where it listens already, it moves. Fails with a ServerError when the port can't be had. */
  start(port: number): Promise<ServerView>;
  stop(): Promise<ServerView>;
  enableMcp(): Promise<ServerView>;
  disableMcp(): Promise<ServerView>;
  change(change: ServerChange): Promise<ServerView>;
  turnClock(milliseconds: number): Promise<ServerView>;
  readonly rules: Pick<ServerControls, "rules" | "checkRules">;
  setRules(text: string): Promise<RuleProblem[]>;
  /** The last requests, whatever the server listens on. */
  readonly requests: RequestLog;
  /** The value itself. Fails with a ServerError when there is no MCP token yet; an API key is made on first use. */
  reveal(name: SecretName): Promise<string>;
  /** Makes a new one: the old one is refused from then on. */
  rotate(name: SecretName): Promise<ServerView>;
  /** Calls the listener after every change. The answer stops it. */
  subscribe(listener: () => void): () => void;
  /** Stops the server. What the user had switched on is on again at the next start of the app. */
  close(): Promise<void>;
}

/** Opens the switch; the server listens again when it was on as the app ended. */
export async function createServerSwitch(options: ServerSwitchOptions): Promise<ServerSwitch> {
  const { service, secrets, dataDir, clock, mock, upstreams } = options;
  const { mcp, engine, logger } = service;
  const settings = await openSettings(dataDir, service);
  const controls = await createControls({ service, clock, mock, settings, upstreams });
  const inTurn = createQueue();
  const listeners = new Set<() => void>();
  /** Null until it is first asked for: a keychain may ask its user. */
  let apiKey: string | null = null;
  let running: LocalServer | null = null;
  const requests = createRequestLog(clock, () => (apiKey === null ? [] : [apiKey]));

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
        tier: service.readTier(),
        dialect: service.readDialect(),
      },
      controls: controls.view(),
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
    const app = await openHttpApp({ service, clock, apiKey: () => apiKey ?? first, requestLog: requests }, (any) => {
      // When the work is done, also where the client has not waited for it.
      any.addHook("onSend", async ({ method, url }) => {
        if (method !== "GET" && url.startsWith("/sheaf/")) notify();
      });
    });
    const before = running;
    running = await listenLocally(app, port, service.machine);
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
    change: (wanted) => change(() => controls.change(wanted)),
    turnClock: (milliseconds) => change(() => controls.turnClock(milliseconds)),
    rules: controls,
    setRules: (text) =>
      inTurn(async () => {
        const problems = await controls.setRules(text);
        notify();
        return problems;
      }),
    requests,
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
        controls.close();
        await stopListening();
      }),
  };
}

/** Enough for its owner to recognize a secret; nothing of a short one. */
function toSecretView(value: string | null): SecretView {
  if (value === null) return { lastFour: null };
  return { lastFour: value.length < 16 ? "" : value.slice(-4) };
}
