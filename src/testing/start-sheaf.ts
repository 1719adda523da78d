import { randomBytes } from "node:crypto";
import { faultCountsSchema, faultSettingsSchema } from "#contract";
import { createAdjustableClock, createRandomIds, createSilentLogger, defaultScope } from "#main/base";
import { checkRules, createFixedRules, createMockEngine, createScopedFaults, loadTemplates } from "#main/engines";
import { openHttpApp } from "#main/http";
import { createModelCatalog } from "#main/requests";
import { createService } from "#main/service";
import { createScopeName, openScope } from "./scope.ts";
import type { Sheaf, SheafOptions } from "./types.ts";

/** Starts a service on a free port of this machine. */
export async function startSheaf(options: SheafOptions = {}): Promise<Sheaf> {
  const { pace = "instant", seed = 1, tier = "standard", rateLimit = false, lenient = false } = options;
  const { models, fileLimits = {} } = options;
  const { apiKey = `sk-sheaf-${randomBytes(24).toString("base64url")}`, dialect = "service" } = options;
  const clock = createAdjustableClock(options.clock);
  const ids = createRandomIds();
  const scopedFaults = createScopedFaults(seed, faultSettingsSchema.parse(options.faults ?? {}));
  const engine = createMockEngine({ pace, seed, clock, ids, catalog: createModelCatalog(tier, models) });
  await loadTemplates(options.rules ?? {});
  const service = await createService({
    ephemeral: true,
    engine,
    ...(options.rules && { rules: createFixedRules(options.rules) }),
    tier,
    dialect,
    rateLimit,
    lenient,
    fileLimits,
    faults: scopedFaults,
    clock,
    ids,
    logger: createSilentLogger(),
    ...(models !== undefined && { models }),
    anyModel: options.anyModel !== false,
  });
  const { faults } = service;
  const app = await openHttpApp({
    service,
    clock,
    apiKey: options.auth === false ? null : apiKey,
    hosts: options.allowHosts ?? [],
    cors: [options.cors ?? []].flat(),
  });

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

  const own = openScope({ url, apiKey });
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
      add: (counts) => faults.addCounts(faultCountsSchema.parse(counts)),
      clear: faults.clear,
    },
    clock: {
      now: clock.now,
      advance: own.clock.advance,
    },
    requests: own.requests,
    waitForRequest: own.waitForRequest,
    scope: (name = createScopeName()) => openScope({ url, apiKey }, name),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
