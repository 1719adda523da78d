import { randomBytes } from "node:crypto";
import { z } from "zod";
import { type FaultSettings, faultSettingsSchema, type LoggedRequest, loggedRequestSchema } from "#contract";
import {
  type ClockOptions,
  createAdjustableClock,
  createHttpApp,
  createMockEngine,
  createModelCatalog,
  createRandomIds,
  createScopedFaults,
  createScriptedEngine,
  createService,
  createSettableRules,
  createSilentLogger,
  type DialectName,
  type FileLimits,
  type Model,
  type Pace,
  type RulesInput,
  type Tier,
} from "#service";

/** Absent fields are off. */
export type FaultsInput = z.input<typeof faultSettingsSchema>;

/** How a service for a test is set up; each has a value that suits most tests. */
export interface SheafOptions {
  /** A new one by default. */
  readonly apiKey?: string;
  /** How times and lists look: `service` by default. */
  readonly dialect?: DialectName;
  /** Whose token limits hold; `standard` by default. */
  readonly tier?: Tier;
  /** Whether direct calls are held to the tier's requests per minute; not by default. */
  readonly rateLimit?: boolean;
  /** `instant` by default. */
  readonly pace?: Pace;
  /** Another seed has other answers; 1 by default. */
  readonly seed?: number;
  /** What answers; where no rule matches, the mock engine does. */
  readonly rules?: RulesInput;
  readonly faults?: FaultsInput;
  /** `{ speed: 0 }` for a clock that stands still until it is turned forward. */
  readonly clock?: ClockOptions;
  readonly models?: readonly Model[];
  readonly fileLimits?: Partial<FileLimits>;
}

/** Which requests to show. */
export interface RequestQuery {
  /** What the path begins with. */
  readonly path?: string;
  readonly method?: string;
  /** `404`, or `4xx`. */
  readonly status?: string | number;
}

/** A service of its own for a test, in the caller's process. It keeps nothing beyond `stop`. */
export interface Sheaf extends AsyncDisposable {
  /** `http://127.0.0.1:…`, without a slash at the end. */
  readonly url: string;
  /** The same with `/v1`: what OpenAI clients call `baseURL`. */
  readonly baseURL: string;
  readonly apiKey: string;
  readonly rules: {
    /** Replaces all rules. Throws with all that is wrong with them. */
    set(rules: RulesInput): void;
    clear(): void;
  };
  readonly faults: {
    readonly settings: FaultSettings;
    /** Replaces all faults: absent fields are off. */
    set(faults: FaultsInput): void;
    clear(): void;
  };
  readonly clock: {
    /** Unix milliseconds. */
    now(): number;
    /** Turns it forward (`90s`, `10m`, `24h`); resolves when what fell due on the way is done. */
    advance(duration: string): Promise<void>;
  };
  /** The last requests, newest first, with keys masked. */
  requests(query?: RequestQuery): Promise<LoggedRequest[]>;
  stop(): Promise<void>;
}

const requestListSchema = z.object({ data: z.array(loggedRequestSchema) });
const mostRequests = "1000";

/** Starts a service on a free port of this machine. */
export async function startSheaf(options: SheafOptions = {}): Promise<Sheaf> {
  const { pace = "instant", seed = 1, tier = "standard", rateLimit = false, models, fileLimits = {} } = options;
  const { apiKey = `sk-sheaf-${randomBytes(24).toString("base64url")}`, dialect = "service" } = options;
  const clock = createAdjustableClock(options.clock);
  const ids = createRandomIds();
  const rules = createSettableRules(options.rules);
  const scopedFaults = createScopedFaults(seed, faultSettingsSchema.parse(options.faults ?? {}));
  const mock = createMockEngine({ pace, seed, clock, ids, catalog: createModelCatalog(tier, models) });
  const service = await createService({
    ephemeral: true,
    engine: createScriptedEngine({ rules, mock, clock, ids }),
    tier,
    rateLimit,
    fileLimits,
    faults: scopedFaults,
    clock,
    ids,
    logger: createSilentLogger(),
    ...(models !== undefined && { models }),
  });
  const { faults } = service;
  const app = createHttpApp({ service, clock, apiKey, dialect });

  async function stop(): Promise<void> {
    app.server.closeAllConnections();
    await app.close();
    await service.close(0);
  }

  let url: string;
  try {
    url = await app.listen({ port: 0, host: "127.0.0.1" });
  } catch (error) {
    await stop();
    throw error;
  }

  async function call(path: string, init: RequestInit = {}): Promise<unknown> {
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    const response = await fetch(url + path, { ...init, headers });
    const body: unknown = await response.json();
    if (!response.ok) throw new Error(z.object({ error: z.object({ message: z.string() }) }).parse(body).error.message);
    return body;
  }

  return {
    url,
    baseURL: `${url}/v1`,
    apiKey,
    rules: { set: rules.set, clear: () => rules.set({ rules: [] }) },
    faults: {
      get settings() {
        return faults.settings;
      },
      set: (settings) => faults.set(faultSettingsSchema.parse(settings)),
      clear: faults.clear,
    },
    clock: {
      now: clock.now,
      async advance(duration) {
        await call("/sheaf/clock", { method: "POST", body: JSON.stringify({ advance: duration }) });
      },
    },
    async requests(query = {}) {
      const wanted = Object.entries(query).map(([name, value]) => [name, String(value)]);
      const parameters = new URLSearchParams([...wanted, ["limit", mostRequests]]);
      return requestListSchema.parse(await call(`/sheaf/requests?${parameters}`)).data;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
