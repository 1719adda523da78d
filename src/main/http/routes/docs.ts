import { z } from "zod";
import type { HttpApp } from "../http-app.ts";
import { renderDocs } from "../openapi/docs-page.ts";
import { answers, answersOf } from "../schemas.ts";

const descriptionSchema = z.looseObject({ openapi: z.string() });

/** `/openapi.json`, and `/docs` for people. Neither needs a key: they hold nothing that the project doesn't publish. */
export function addDocsRoutes(app: HttpApp, readDescription: () => string): void {
  app.get("/openapi.json", { schema: { response: answers(descriptionSchema) } }, (_, reply) => {
    reply.type("application/json; charset=utf-8").send(readDescription());
  });

  let page: ReturnType<typeof renderDocs> | undefined;
  app.get("/docs", { schema: { response: answersOf("text/html", "The page.") } }, (_, reply) => {
    page ??= renderDocs(readDescription());
    const policy = [
      "default-src 'none'",
      `style-src '${page.styleHash}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ];
    reply.headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy.join("; "),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
    reply.send(page.html);
  });
}
