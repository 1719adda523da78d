import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";

/** A Fastify app whose routes are described by zod schemas. */
export type HttpApp = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>;

/** Adds hooks to an app, before its routes are added. */
export type PrepareApp = (app: HttpApp) => void;

/** Adds routes whose hooks and readers of bodies hold for them alone. */
export function addApart(app: HttpApp, add: (apart: HttpApp) => void): void {
  app.register((apart: HttpApp, _options, registered) => {
    add(apart);
    registered();
  });
}

/**
 * Adds routes that take any body and pass over it. Clients send a content type with no body, or an empty object, where none
 * is asked for.
 */
export function addBodiless(app: HttpApp, add: (bodiless: HttpApp) => void): void {
  addApart(app, (bodiless) => {
    bodiless.removeAllContentTypeParsers();
    bodiless.addContentTypeParser("*", (_request, body, done) => {
      body.resume();
      done(null);
    });
    add(bodiless);
  });
}

/** The path of a route as people write it: `/v1beta/files/:file(^.+)::download` is `/v1beta/files/{file}:download`. */
export function toTemplate(path: string): string {
  return path.replaceAll(/(?<!:):(\w+)(?:\([^)]*\))?/g, "{$1}").replaceAll("::", ":");
}
