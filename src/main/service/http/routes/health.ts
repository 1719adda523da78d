import { z } from "zod";
import type { Service } from "../../types.ts";
import type { HttpApp } from "../app.ts";
import { answers } from "../schemas.ts";

const healthSchema = z.object({
  status: z.literal("ok"),
  notices: z.array(z.object({ code: z.string(), count: z.int() })).optional(),
});

/** `GET /health`: whether the server answers, and by code and count what its user should know. Needs no key. */
export function addHealthRoute(app: HttpApp, { notices }: Pick<Service, "notices">): void {
  app.get("/health", { schema: { response: answers(healthSchema) } }, (_request, reply) => {
    const found = notices.list().map(({ code, count }) => ({ code, count }));
    reply.send(found.length === 0 ? { status: "ok" } : { status: "ok", notices: found });
  });
}
