import { finished } from "node:stream";
import { createGunzip, type Gunzip } from "node:zlib";
import type { FastifyRequest } from "fastify";
import { quote, ServiceError } from "#main/base";
import type { HttpApp } from "./http-app.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The body of a request that came as gzip; null for any other. */
    inflated: Gunzip | null;
  }
}

/** Takes bodies that are gzip. What limits a body counts it inflated. */
export function inflateBodies(app: HttpApp): void {
  app.decorateRequest("inflated", null);
  app.addHook("preParsing", (request, _reply, payload, done) => {
    const encoding = request.headers["content-encoding"];
    if (encoding === undefined || encoding.toLowerCase() === "identity") return done(null, payload);
    if (!/^(x-)?gzip$/i.test(encoding)) {
      const message = `The body's content encoding ${quote(encoding)} is not supported. Supported are: 'gzip', 'identity'.`;
      throw new ServiceError("unsupported_media_type", message, "content-encoding");
    }
    let received = 0;
    payload.on("data", ({ length }: Buffer) => {
      received += length;
    });
    const inflated = payload.pipe(createGunzip());
    // A client that goes is an error of the body, for whoever reads it. What is no gzip leaves the connection open for the answer.
    finished(payload, (error) => error && inflated.destroy(error));
    inflated.once("error", () => payload.resume());
    request.inflated = inflated;
    // The framework compares this with `content-length`.
    done(null, Object.defineProperty(inflated, "receivedEncodedLength", { get: () => received }));
  });
}

/** The request as the parser of forms reads it, whose parts are in what was inflated. */
export function readForm(request: FastifyRequest): FastifyRequest {
  const { inflated, raw } = request;
  if (inflated === null) return request;
  if (inflated.errored !== null) throw inflated.errored;
  return Object.create(request, { raw: { value: Object.assign(inflated, { headers: raw.headers }) } });
}
