import { setTimeout as sleepReal } from "node:timers/promises";
import { clockSchema, turnClockSchema, type WireClock } from "#contract";
import type { AdjustableClock } from "../../clock/index.ts";
import type { Service } from "../../service.ts";
import type { BatchRecord } from "../../store/index.ts";
import type { HttpApp } from "../http-app.ts";
import { answers } from "../schemas.ts";

/** `/sheaf/clock`: what it shows, and turning it forward. The answer comes when what fell due on the way is done. */
export function addClockRoutes(app: HttpApp, service: Service, clock: AdjustableClock): void {
  const response = answers(clockSchema);

  app.get("/sheaf/clock", { schema: { response } }, (_request, reply) => {
    reply.send(describeClock(clock));
  });

  app.post("/sheaf/clock", { schema: { body: turnClockSchema, response } }, async ({ body }, reply) => {
    await turnClock(service, clock, body.advance);
    return reply.send(describeClock(clock));
  });
}

/** Turns the clock of a service forward, and waits for what falls due on the way. */
export async function turnClock(service: Service, clock: AdjustableClock, milliseconds: number): Promise<void> {
  await clock.advance(milliseconds);
  await settleDue(service);
}

function describeClock(clock: AdjustableClock): WireClock {
  const now = clock.now();
  return { unix_ms: now, iso: new Date(now).toISOString(), speed: clock.speed };
}

/** How long a batch may be cancelling (service-interface.md, Limits), in milliseconds. */
const longestCancel = 10 * 60_000;
/** How long is waited, in milliseconds of the machine. */
const longestWait = 5_000;

/** Waits for the batches whose time is over to come to their end: they still have to record what never ran. */
async function settleDue({ batches, faults, clock }: Service): Promise<void> {
  const now = clock.now();
  const due = batches
    .list({ limit: Number.POSITIVE_INFINITY })
    .batches.filter((batch) => isDue(batch, now) && !isStuck(batch, faults.settings.stuck_in));
  if (due.length === 0) return;
  const inTime = new AbortController();
  const late = sleepReal(longestWait, undefined, { signal: inTime.signal }).catch(() => {});
  await Promise.race([Promise.allSettled(due.map(({ id }) => batches.settled(id))), late]);
  inTime.abort();
}

/** Batches of connections go by another clock. */
function isDue({ status, times, connection }: BatchRecord, now: number): boolean {
  if (connection !== null) return false;
  if (status === "validating" || status === "in_progress") return times.expires <= now;
  return status === "cancelling" && (times.cancelling ?? now) + longestCancel <= now;
}

function isStuck({ status }: BatchRecord, stuckIn: readonly string[]): boolean {
  return status === "cancelling" && stuckIn.includes(status);
}
