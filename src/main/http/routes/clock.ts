import { clockSchema, turnClockSchema, type WireClock } from "#contract";
import type { AdjustableClock } from "#main/base";
import type { HttpApp } from "../http-app.ts";
import { answers } from "../schemas.ts";

/** `/sheaf/clock`: what it shows, and turning it forward. The answer comes when what fell due on the way is done. */
export function addClockRoutes(app: HttpApp, clock: AdjustableClock): void {
  const response = answers(clockSchema);

  app.get("/sheaf/clock", { schema: { response } }, (_request, reply) => {
    reply.send(describeClock(clock));
  });

  app.post("/sheaf/clock", { schema: { body: turnClockSchema, response } }, async ({ body }, reply) => {
    await clock.advance(body.advance);
    return reply.send(describeClock(clock));
  });
}

function describeClock(clock: AdjustableClock): WireClock {
  const now = clock.now();
  return { unix_ms: now, iso: new Date(now).toISOString(), speed: clock.speed };
}
