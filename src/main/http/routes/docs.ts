import { z } from "zod";
import type { HttpApp } from "../http-app.ts";
import { answers, answersOf } from "../schemas.ts";

const descriptionSchema = z.looseObject({ openapi: z.string() });

/** `/openapi.json`, and `/docs` for people. Neither needs a key: they hold nothing that the project doesn't publish. */
export function addDocsRoutes(app: HttpApp, readDescription: () => Promise<string>): void {
  app.get("/openapi.json", { schema: { response: answers(descriptionSchema) } }, async (_, reply) =>
    reply.type("application/json; charset=utf-8").send(await readDescription()),
  );

  let page: { readonly html: string; readonly styleHash: string } | undefined;
  app.get("/docs", { schema: { response: answersOf("text/html", "The page.") } }, async (_, reply) => {
    const { renderDocs } = await import("../openapi/docs-page.ts");
    page ??= renderDocs(await readDescription());
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
    return reply.send(page.html);
  });
}
