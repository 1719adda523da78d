import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { errorBodySchema } from "#contract";
import type { Vendor } from "../ports.ts";
import { anthropicErrorSchema, toAnthropicError } from "../vendors/index.ts";
import type { HttpApp } from "./http-app.ts";

/** An error of a path that several vendors have. */
export const anyErrorSchema = z.union([errorBodySchema, anthropicErrorSchema]);

/** By the path; where several vendors have it, by the header that Anthropic's clients send with every request. */
export function vendorOf({ url, headers }: Pick<FastifyRequest, "url" | "headers">): Vendor {
  if (url.startsWith("/v1/messages")) return "anthropic";
  if (url.startsWith("/v1/models") && headers["anthropic-version"] !== undefined) return "anthropic";
  return "openai";
}

/** What the `authorization` header has, or would have: each vendor's clients send the key in a header of their own, too. */
export function readAuthorization(request: Pick<FastifyRequest, "url" | "headers">): string | undefined {
  const { headers } = request;
  const own = headers["x-api-key"];
  if (headers.authorization !== undefined || typeof own !== "string") return headers.authorization;
  return vendorOf(request) === "anthropic" ? `Bearer ${own}` : undefined;
}

/** Has errors and request ids leave in the shape of the vendor that a request is written for, wherever they come from. */
export function answerAsVendor(app: HttpApp): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (vendorOf(request) === "anthropic") reply.header("request-id", request.id);
    done();
  });
  app.addHook("preSerialization", (request, reply, payload, done) => {
    const { data: body } = reply.statusCode < 400 ? { data: undefined } : errorBodySchema.safeParse(payload);
    if (body === undefined || vendorOf(request) === "openai") done(null, payload);
    else done(null, toAnthropicError(body, reply.statusCode, request.id));
  });
}
