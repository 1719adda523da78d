import { randomBytes } from "node:crypto";
import { faultCountsSchema, faultSettingsSchema } from "#contract";
import { createAdjustableClock, createRandomIds, createSilentLogger, defaultScope } from "#main/base";
import { checkProgramRules, createMockEngine, createScopedFaults, loadTemplates, type Rules } from "#main/engines";
import {
  createWebhookSecret,
  findSecretProblem,
  openHttpApp,
  readWebhookUrl,
  type WebhookSettings,
  webhookUrlExpected,
} from "#main/http";
import { createModelCatalog } from "#main/requests";
import { createService } from "#main/service";
import { createScopeName, openScope } from "./scope.ts";
import type { LocalRulesInput, Sheaf, SheafOptions, SheafScope } from "./types.ts";

/** Starts a service on a free port of this machine. */
export async function startSheaf(options: SheafOptions = {}): Promise<Sheaf> {
  const { pace = "instant", seed = 1, tier = "standard", rateLimit = false, lenient = false } = options;
  const { models, fileLimits = {}, logBodyBytes } = options;
  const { apiKey = `sk-sheaf-${randomBytes(24).toString("base64url")}`, dialect = "service" } = options;
  const webhooks = readWebhooks(options);
  const clock = createAdjustableClock(options.clock);
  const ids = createRandomIds();
  const scopedFaults = createScopedFaults(seed, faultSettingsSchema.parse(options.faults ?? {}));
  const engine = createMockEngine({ pace, seed, clock, ids, catalog: createModelCatalog(tier, models) });
  const rules = await readRules(options.rules ?? { rules: [] });
  const service = await createService({
    ephemeral: true,
    engine,
    rules: { name: "the rules", current: rules, close() {} },
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
    webhooks,
    ...(logBodyBytes !== undefined && { logBodyBytes }),
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

  const webhookSecret = webhooks?.secret ?? null;
  const server = { url, apiKey, webhookSecret };
  const own = openScope(server);
  /** Without HTTP: functions stay in this process. */
  const rulesOf = (scope: string): SheafScope<LocalRulesInput>["rules"] => ({
    set: async (given) => service.rules.set(scope, await readRules(given)),
    clear: async () => service.rules.set(scope, await readRules({ rules: [] })),
  });
  return {
    url,
    baseURL: `${url}/v1`,
    apiKey,
    webhookSecret,
    rules: rulesOf(defaultScope),
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
    scope: (name = createScopeName()) => ({ ...openScope(server, name), rules: rulesOf(name) }),
    reset: own.reset,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function readRules(rules: LocalRulesInput): Promise<Rules> {
  await loadTemplates(rules);
  return checkProgramRules(rules);
}

function readWebhooks({ webhooks = [], webhookSecret: secret }: SheafOptions): WebhookSettings | null {
  const urls = [webhooks].flat().map((address) => {
    const url = readWebhookUrl(address);
    if (url === null) throw new Error(`webhooks has ${JSON.stringify(address)}. It takes ${webhookUrlExpected}.`);
    return url;
  });
  const problem = secret === undefined ? null : findSecretProblem(secret);
  if (problem !== null) throw new Error(`webhookSecret ${problem}.`);
  if (urls.length === 0 && secret !== undefined) {
    throw new Error("webhookSecret is for webhooks. Add an address there, or leave the secret out.");
  }
  return urls.length === 0 ? null : { urls, secret: secret ?? createWebhookSecret() };
}
