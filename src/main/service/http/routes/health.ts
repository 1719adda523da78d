import { z } from "zod";
import type { HttpApp } from "../app.ts";
import { answers } from "../schemas.ts";

const healthSchema = z.object({ status: z.literal("ok") });

/** `GET /health`: whether the server answers. Needs no key, and says nothing else. */
export function addHealthRoute(app: HttpApp): void {
  app.get("/health", { schema: { response: answers(healthSchema) } }, (_request, reply) => {
    reply.send({ status: "ok" });
  });
}
