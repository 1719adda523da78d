import type { JudgeChoice } from "#contract";
import { createAdjustableClock, isLoopback, type SecretStore, ServiceError } from "#main/base";
import { createScopedFaults, realtimeLimits } from "#main/engines";
import {
  createWebhookSecret,
  findSecretProblem,
  openHttpApp,
  preloadHttpApp,
  readWebhookUrl,
  type WebhookSettings,
  webhookUrlExpected,
} from "#main/http";
import { ensureApiKey } from "#main/secrets";
import { closeHttpApp } from "#main/server";
import type { Service } from "#main/service";
import { apiKeySchema, checkAccess } from "../access-flags.ts";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, onStopSignal, print } from "../command-process.ts";
import { chooseEngine } from "../create-engine.ts";
import { chooseStorage, describeStorage } from "../data-folder.ts";
import { readFaults } from "../fault-flags.ts";
import { chooseJudge } from "../judge-flags.ts";
import { listen } from "../listen.ts";
import { openSecrets } from "../open-secrets.ts";
import { createCommandLogger, openService } from "../open-service.ts";
import { readKey } from "../read-key.ts";
import type { ServeFlags } from "../server-flags.ts";

/** How long requests in flight may take to end after a signal, in milliseconds. */
const grace = 3_000;

/** `sheaf serve`: the mock server, until a signal ends it. */
export async function serve(flags: ServeFlags, io: CommandProcess): Promise<ExitCode> {
  const given = flags.auth ? readGivenKey(flags.apiKey, io.env.SHEAF_API_KEY) : noKey;
  checkAccess(flags, { key: given?.value ?? null, asksUpstream: chooseEngine(flags) === "upstream" });
  const webhooks = chooseWebhooks(flags, io);
  const judge = chooseJudge({ judge: flags.judge, judgeModel: flags.judgeModel, judgePreset: flags.judgePreset });
  const storage = chooseStorage(flags, "serve", io.env);
  // Listens before anything is opened: a signal during the start takes effect when the start is over.
  const signalled = new Promise<void>((resolve) => onStopSignal(() => resolve(), io));
  const clock = createAdjustableClock({ speed: flags.clockSpeed, machine: io.machine });
  preloadHttpApp();
  const faults = createScopedFaults(flags.seed, readFaults(flags));
  const secrets = await openSecrets(flags.secrets, storage, createCommandLogger(io), { io });
  const service = await openService(flags, storage, io, {
    clock,
    faults,
    secrets,
    fileLimits: { bytes: flags.maxFileBytes, requests: flags.maxLines, lineBytes: flags.maxLineBytes },
    keep: { age: flags.keep ?? null, bytes: flags.keepSize ?? null },
  });
  try {
    const key = given ?? (await openStoredKey(secrets));
    const { host, allowHost, cors, logBodyBytes } = flags;
    const apiKey = flags.auth ? key.value : null;
    const app = await openHttpApp({
      service,
      clock,
      apiKey,
      judge,
      hosts: [host, ...allowHost],
      cors,
      webhooks,
      logBodyBytes,
    });
    const url = await listen(app, flags);
    if (!isLoopback(host)) io.stderr.write(`warning: ${describeRisk(host)}\n`);
    const secret = webhooks === null ? {} : { webhookSecret: webhooks.secret };
    if (flags.json) print(JSON.stringify({ url, apiKey: key.value, pid: process.pid, ...secret }), io);
    else {
      const described = { engine: service.engine.description, mcp: await describeMcp(service, judge) };
      const own = { key: describeKey(key, secrets), limits: describeLimits(flags), data: describeStorage(storage) };
      const hooks = webhooks && describeWebhooks(webhooks, flags.webhookSecretEnv);
      print(describeServer(url, { ...described, ...own, webhooks: hooks }), io);
    }
    await signalled;
    // Requests end first, since they may need the service; batches get the rest of the time.
    const deadline = io.machine.monotonic() + grace;
    await closeHttpApp(app, grace, io.machine);
    await service.close(Math.max(0, deadline - io.machine.monotonic()));
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof ServiceError) throw new CliError(`--judge-model: ${error.message}`, exitCodes.unusable);
    throw error;
  } finally {
    await service.close(0);
  }
}

interface ApiKey {
  readonly value: string;
  /** `new` for one that was just made, `none` where any will do. */
  readonly origin: "given" | "stored" | "new" | "none";
}

/** Clients want to be given some key, whether the server asks for it or not. */
const noKey: ApiKey = { value: "none", origin: "none" };

function describeRisk(host: string): string {
  return `other computers can reach this server on ${host}. Its key and all data cross the network unencrypted.`;
}

/** The key from the flag, else from SHEAF_API_KEY. */
function readGivenKey(flag: string | undefined, variable: string | undefined): ApiKey | null {
  if (flag !== undefined) return { value: flag, origin: "given" };
  const key = readKey(variable, "SHEAF_API_KEY");
  if (key === null) return null;
  const parsed = apiKeySchema.safeParse(key);
  if (parsed.success) return { value: parsed.data, origin: "given" };
  throw new CliError(
    `SHEAF_API_KEY holds no usable key: it takes ${parsed.error.issues[0]?.message}.`,
    exitCodes.unusable,
  );
}

/** The stored key; where there is none yet, a new one. */
async function openStoredKey(secrets: SecretStore): Promise<ApiKey> {
  const { value, isNew } = await ensureApiKey(secrets);
  return { value, origin: isNew ? "new" : "stored" };
}

/** Where events go, and their secret; null where there is no address. */
function chooseWebhooks({ webhook, webhookSecretEnv: name }: ServeFlags, io: CommandProcess): WebhookSettings | null {
  const refuse = (message: string) => new CliError(message, exitCodes.unusable);
  const urls = webhook.map((typed) => {
    const url = readWebhookUrl(typed);
    if (url === null) throw refuse(`--webhook expects ${webhookUrlExpected}, not '${typed}'.`);
    return url;
  });
  if (urls.length === 0) {
    if (name === undefined) return null;
    throw refuse("--webhook-secret-env is for --webhook: add an address, or leave it out.");
  }
  if (name === undefined) return { urls, secret: createWebhookSecret() };
  const secret = io.env[name];
  if (secret === undefined) throw refuse(`--webhook-secret-env: the variable ${name} is not set.`);
  const problem = findSecretProblem(secret);
  if (problem !== null) throw refuse(`--webhook-secret-env: the variable ${name} ${problem}.`);
  return { urls, secret };
}

function describeWebhooks({ urls, secret }: WebhookSettings, variable: string | undefined): string {
  const which = variable === undefined ? `the secret ${secret} (new, shown only now)` : `the secret in ${variable}`;
  return `${urls.map(({ href }) => href).join(", ")}, signed with ${which}`;
}

interface Described {
  readonly key: string;
  readonly engine: string;
  readonly mcp: string;
  readonly limits: string;
  readonly webhooks: string | null;
  readonly data: string;
}

function describeServer(url: string, { key, engine, mcp, limits, webhooks, data }: Described): string {
  return [
    "Sheaf mock server",
    `  Base URL  ${url}/v1`,
    `  API key   ${key}`,
    `  Engine    ${engine}`,
    `  MCP       ${mcp}`,
    `  Limits    ${limits}`,
    ...(webhooks === null ? [] : [`  Webhooks  ${webhooks}`]),
    `  Data      ${data}`,
    "Stop it with Ctrl+C.",
  ].join("\n");
}

function describeKey({ value, origin }: ApiKey, { note }: SecretStore): string {
  const noted = (key: string) => `${key}\n            ${note}`;
  switch (origin) {
    case "given":
      return "the one you gave";
    case "none":
      return "none is asked for";
    case "stored":
      return noted(`…${value.slice(-4)}, as at the last start (--json prints it whole)`);
    case "new":
      return noted(`${value} (new, shown only now)`);
  }
}

async function describeMcp({ mcp }: Service, { judge, model }: JudgeChoice): Promise<string> {
  const { enabled } = await mcp.state();
  const who = { rules: "the rules judge", model: `${model} judges`, both: `the rules judge, then ${model}` }[judge];
  return enabled ? `enabled, ${who}` : `disabled until POST /v1/mcp/enable, ${who}`;
}

/** With the flags that lift them. */
function describeLimits(flags: ServeFlags): string {
  const models = flags.anyModel ? "any model" : "its own models (--any-model accepts any name)";
  return `${describeRateLimit(flags)}; ${models}`;
}

function describeRateLimit({ tier, rateLimit }: ServeFlags): string {
  if (!rateLimit) return `${tier} tier, no limit of direct calls`;
  const { requestsPerMinute, concurrency } = realtimeLimits[tier];
  return `${tier} tier, direct calls: ${requestsPerMinute} a minute, ${concurrency} at a time (--no-rate-limit lifts this)`;
}
