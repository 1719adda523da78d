import { createAdjustableClock, createFaults, createHttpApp, prepareToCount, realtimeLimits } from "#service";
import { closeHttpApp } from "../../server/index.ts";
import { type ApiKey, findApiKey } from "../api-key.ts";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { readFaults } from "../fault-flags.ts";
import type { ServeFlags } from "../flags.ts";
import { listen } from "../listen.ts";
import { openService } from "../open-service.ts";
import { print } from "../output.ts";
import { onStopSignal } from "../signals.ts";
import { chooseStorage, describeStorage } from "../storage.ts";

/** How long requests in flight may take to end after a signal, in milliseconds. */
const grace = 3_000;

/** `sheaf serve`: the mock server, until a signal ends it. */
export async function serve(flags: ServeFlags): Promise<ExitCode> {
  const key = findApiKey(flags.apiKey, process.env.SHEAF_API_KEY);
  const storage = chooseStorage(flags, "serve");
  // Before there is anything to leave behind: a signal during the start is heeded as soon as the start is over.
  const signalled = new Promise<void>((resolve) => onStopSignal(() => resolve()));
  const clock = createAdjustableClock({ speed: flags.clockSpeed });
  const faults = createFaults(flags.seed, readFaults(flags));
  const service = await openService(flags, storage, { clock, faults, rateLimit: flags.rateLimit });
  const app = createHttpApp({ service, clock, apiKey: key.value, dialect: flags.dialect, hosts: [flags.host] });

  /** Requests come first: they may need the service. What they leave of the time is for the batches. */
  async function stop(): Promise<void> {
    const deadline = performance.now() + grace;
    await closeHttpApp(app, grace);
    await service.close(Math.max(0, deadline - performance.now()));
  }

  try {
    const url = await listen(app, flags);
    if (flags.json) print(JSON.stringify({ url, apiKey: key.value, pid: process.pid }));
    else print(describeServer(url, key, service.engine.description, describeLimits(flags), describeStorage(storage)));
    prepareToCount();
    await signalled;
    await stop();
    return exitCodes.ok;
  } finally {
    await service.close(0);
  }
}

function describeServer(url: string, { value, isNew }: ApiKey, engine: string, limits: string, data: string): string {
  return [
    "Sheaf mock server",
    `  Base URL  ${url}/v1`,
    `  API key   ${isNew ? `${value} (new, shown only now)` : "the one you gave"}`,
    `  Engine    ${engine}`,
    `  Limits    ${limits}`,
    `  Data      ${data}`,
    "Stop it with Ctrl+C.",
  ].join("\n");
}

function describeLimits({ tier, rateLimit }: ServeFlags): string {
  if (!rateLimit) return `${tier} tier, no limit of direct calls`;
  const { requestsPerMinute, concurrency } = realtimeLimits[tier];
  return `${tier} tier, direct calls: ${requestsPerMinute} a minute, ${concurrency} at a time`;
}
