import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";

/** A Fastify app whose routes are described by zod schemas. */
export type HttpApp = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>;

/** Adds hooks to an app, before its routes are added. */
export type PrepareApp = (app: HttpApp) => void;

/**
 * Lets the routes of an app take any body and pass over it. Clients send a content type with no body, or an empty object,
 * where none is asked for.
 */
export function ignoreBodies(app: HttpApp): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, body, done) => {
    body.resume();
    done(null);
  });
}

/** The path of a route as people write it: `/v1beta/files/:file(^.+)::download` is `/v1beta/files/{file}:download`. */
export function toTemplate(path: string): string {
  return path.replaceAll(/(?<!:):(\w+)(?:\([^)]*\))?/g, "{$1}").replaceAll("::", ":");
}
