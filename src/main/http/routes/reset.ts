import { z } from "zod";
import { addBodiless, type HttpApp } from "../http-app.ts";
import { answers } from "../schemas.ts";
import type { Scopes } from "../scopes.ts";

const resetQuery = z.object({ all: z.enum(["true", "false"]).default("false") });
const resetSchema = z.object({ object: z.literal("list"), data: z.array(z.string()) });

/** `POST /sheaf/reset`: the scope of the request, or all, as they were when they were first named. */
export function addResetRoute(app: HttpApp, scopes: Scopes): void {
  addBodiless(app, (bodiless) => {
    bodiless.post(
      "/sheaf/reset",
      { schema: { querystring: resetQuery, response: answers(resetSchema) } },
      async ({ scope, query }, reply) => {
        const names = query.all === "true" ? scopes.list() : [scope.name];
        await scopes.reset(names);
        return reply.send({ object: "list", data: names });
      },
    );
  });
}
