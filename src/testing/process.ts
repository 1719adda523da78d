import { fork } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { findEntry } from "#app-paths";
import { createScopeName, openScope } from "./scope.ts";
import type { SheafProcess, SheafProcessOptions } from "./types.ts";

export type * from "./types.ts";
export type * from "./wire-types.ts";

const secretVariable = "SHEAF_WEBHOOK_SECRET";

/**
 * Starts a service in a process of its own, on a free port. It ends with the process that started it at the latest.
 * @throws when it can't start; it has printed why by then
 */
export async function startSheafProcess(options: SheafProcessOptions = {}): Promise<SheafProcess> {
  const { apiKey, rules, faults, webhookSecret } = options;
  const { SHEAF_API_KEY: _, ...env } = process.env;
  const child = fork(fileURLToPath(findEntry("cli")), ["serve", ...toFlags(options)], {
    env: {
      ...env,
      ...(apiKey !== undefined && { SHEAF_API_KEY: apiKey }),
      ...(webhookSecret !== undefined && { [secretVariable]: webhookSecret }),
    },
    // Flags of a test runner's process are not meant for it.
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const ended = once(child, "exit");

  async function stop(): Promise<void> {
    // A script that waits for the end has to live until then, and nothing else may be left that keeps it alive.
    child.ref();
    if (child.connected) child.disconnect();
    await ended;
  }

  const { stdout } = child;
  if (stdout === null) throw new Error("The output of the service can't be read.");
  const lines = createInterface({ input: stdout });
  const line = await Promise.race([once(lines, "line"), ended.then(() => null)]);
  if (line === null) throw new Error("The service ended before it was ready: what it printed says why.");
  const server: Parameters<typeof openScope>[0] & { readonly pid: number } = JSON.parse(line[0]);
  // A test that is over ends its process, also without a stop.
  stdout.resume();
  if (stdout instanceof Socket) stdout.unref();
  child.unref();
  child.channel?.unref();

  const own = openScope(server);
  try {
    if (rules !== undefined) await own.rules.set(rules);
    if (faults !== undefined) await own.faults.set(faults);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...own,
    pid: server.pid,
    scope: (name = createScopeName()) => openScope(server, name),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function toFlags(options: SheafProcessOptions): string[] {
  const { dialect, tier, pace = "instant", seed, clock, fileLimits = {}, logBodyBytes } = options;
  const { anyModel = true, rateLimit = false, lenient = false, auth = true } = options;
  const { cors = [], allowHosts = [], webhooks = [], flags = [] } = options;
  const values = {
    dialect,
    tier,
    pace,
    seed,
    "clock-speed": clock?.speed,
    "max-file-bytes": fileLimits.bytes,
    "max-lines": fileLimits.requests,
    "max-line-bytes": fileLimits.lineBytes,
    "log-body-bytes": logBodyBytes,
    "webhook-secret-env": options.webhookSecret === undefined ? undefined : secretVariable,
  };
  const switches = { "any-model": anyModel, "no-rate-limit": !rateLimit, lenient, "no-auth": !auth };
  const lists = { cors: [cors].flat(), "allow-host": allowHosts, webhook: [webhooks].flat() };
  return [
    ...["--json", "--port=0", "--ephemeral"],
    ...Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
    ...Object.entries(switches).flatMap(([name, isOn]) => (isOn ? [`--${name}`] : [])),
    ...Object.entries(lists).flatMap(([name, each]) => each.map((value) => `--${name}=${value}`)),
    ...flags,
  ];
}
