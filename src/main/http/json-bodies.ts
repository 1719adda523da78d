import type { FastifyRequest } from "fastify";
import { ServiceError } from "#main/base";
import { isNestedTooDeep, mostLevels, parseJson } from "#main/storage";
import type { HttpApp } from "./http-app.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The text of the body; null where none was read as JSON. */
    json: string | null;
  }
}

/** Reads bodies of the type `application/json`, with every key they have: `__proto__` is one like others. */
export function readJsonBodies(app: HttpApp): void {
  app.decorateRequest("json", null);
  app.removeContentTypeParser(["text/plain", "application/json"]);
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, text, done) => {
    done(null, readJson(request, String(text)));
  });
}

/**
 * The value of a body that is JSON, which is noted for the log of requests. Throws a ServiceError for any other body, and for
 * one with more than 200 values in one another.
 */
export function readJson(request: FastifyRequest, body: string): unknown {
  const text = body.startsWith("\uFEFF") ? body.slice(1) : body;
  if (text === "") throw new ServiceError("invalid_json", "The body is empty. This endpoint takes a JSON object.");
  const value = parseJson(text);
  if (value === undefined) throw new ServiceError("invalid_json", "The body is not valid JSON.");
  if (isNestedTooDeep(value)) {
    const message = `The body has more than ${mostLevels} values in one another. Send it with fewer levels.`;
    throw new ServiceError("invalid_value", message);
  }
  request.json = text;
  return value;
}
