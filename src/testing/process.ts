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
  const server: { url: string; apiKey: string; pid: number; webhookSecret?: string } = JSON.parse(line[0]);
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
    webhookSecret: server.webhookSecret ?? null,
    scope: (name = createScopeName()) => openScope(server, name),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function toFlags(options: SheafProcessOptions): string[] {
  const { dialect, tier, anyModel = true, rateLimit = false, pace = "instant", seed, clock } = options;
  const { cors = [], webhooks = [], flags = [] } = options;
  const given = { dialect, tier, pace, seed, "clock-speed": clock?.speed };
  const secret = options.webhookSecret === undefined ? [] : [`--webhook-secret-env=${secretVariable}`];
  const hooks = [...[webhooks].flat().map((url) => `--webhook=${url}`), ...secret];
  const pairs = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
  const switches = [...(anyModel ? ["--any-model"] : []), ...(rateLimit ? [] : ["--no-rate-limit"])];
  const origins = [cors].flat().map((origin) => `--cors=${origin}`);
  return ["--json", "--port=0", "--ephemeral", ...pairs, ...switches, ...origins, ...hooks, ...flags];
}
