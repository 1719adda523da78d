import { randomBytes } from "node:crypto";
import { z } from "zod";
import { faultSettingsSchema, loggedRequestSchema } from "#contract";
import {
  checkRules,
  createAdjustableClock,
  createFixedRules,
  createHttpApp,
  createMockEngine,
  createModelCatalog,
  createRandomIds,
  createScopedFaults,
  createService,
  createSilentLogger,
  defaultScope,
} from "#service";
import type { Sheaf, SheafOptions } from "./types.ts";

const requestListSchema = z.object({ data: z.array(loggedRequestSchema) });
const mostRequests = "1000";

/** Starts a service on a free port of this machine. */
export async function startSheaf(options: SheafOptions = {}): Promise<Sheaf> {
  const { pace = "instant", seed = 1, tier = "standard", rateLimit = false, models, fileLimits = {} } = options;
  const { apiKey = `sk-sheaf-${randomBytes(24).toString("base64url")}`, dialect = "service" } = options;
  const clock = createAdjustableClock(options.clock);
  const ids = createRandomIds();
  const scopedFaults = createScopedFaults(seed, faultSettingsSchema.parse(options.faults ?? {}));
  const engine = createMockEngine({ pace, seed, clock, ids, catalog: createModelCatalog(tier, models) });
  const service = await createService({
    ephemeral: true,
    engine,
    ...(options.rules && { rules: createFixedRules(options.rules) }),
    tier,
    dialect,
    rateLimit,
    fileLimits,
    faults: scopedFaults,
    clock,
    ids,
    logger: createSilentLogger(),
    ...(models !== undefined && { models }),
  });
  const { faults } = service;
  const app = createHttpApp({ service, clock, apiKey });

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
    rules: {
      set: (rules) => service.rules.set(defaultScope, checkRules(rules)),
      clear: () => service.rules.set(defaultScope, checkRules({ rules: [] })),
    },
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
