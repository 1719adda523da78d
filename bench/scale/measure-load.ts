import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import type { Observed, ObservedSheaf } from "../servers.ts";
import { median } from "../statistics.ts";

/** What a service did for some work, and how it answered others meanwhile. */
export interface Load extends Observed {
  /** Of `GET /health`, in milliseconds. */
  readonly health: { readonly median: number; readonly p99: number; readonly longest: number };
}

/** Does some work, and watches the service meanwhile. */
export async function measureLoad(sheaf: ObservedSheaf, work: () => Promise<unknown>): Promise<Load> {
  const watch = new Worker(new URL("./watch-health.ts", import.meta.url), { workerData: sheaf.url });
  await once(watch, "online");
  await sheaf.observe();
  await work();
  const observed = await sheaf.observe();
  const answered = once(watch, "message");
  watch.postMessage("end");
  const times = z
    .array(z.number())
    .min(1)
    .parse((await answered)[0])
    .sort((a, b) => a - b);
  const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN;
  return { ...observed, health: { median: median(times), p99, longest: times.at(-1) ?? Number.NaN } };
}

/** Of several rounds the medians, and the longest times of all. */
export function describeLoads(loads: readonly Load[]): string {
  const of = (read: (load: Load) => number) => median(loads.map(read)).toFixed(1);
  const most = (read: (load: Load) => number) => Math.max(...loads.map(read)).toFixed(0);
  return [
    `${median(loads.map(({ syncs }) => syncs)).toFixed(0)} syncs`,
    `/health ${of(({ health }) => health.median)} ms, p99 ${of(({ health }) => health.p99)}, at most ${most(({ health }) => health.longest)}`,
    `loop delay p99 ${of(({ loopDelay }) => loopDelay)} ms, at most ${most(({ longestLoopDelay }) => longestLoopDelay)}`,
    `memory ${most(({ memory }) => memory)} MB, at most ${most(({ mostMemory }) => mostMemory)}`,
  ].join("; ");
}
