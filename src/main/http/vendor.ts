import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { errorBodySchema } from "#contract";
import type { Vendor } from "#main/base";
import { anthropicErrorSchema, toAnthropicError, toGeminiError } from "#main/requests";
import type { HttpApp } from "./http-app.ts";

type Addressed = Pick<FastifyRequest, "url" | "headers">;

/** An error of a path that several vendors have. */
export const anyErrorSchema = z.union([errorBodySchema, anthropicErrorSchema]);

const geminiPath = /^\/((upload|download)\/)?v1beta\//;

/** By the path; where several vendors have it, by the header that Anthropic's clients send with every request. */
export function vendorOf({ url, headers }: Addressed): Vendor {
  if (!url.startsWith("/v1/")) return geminiPath.test(url) ? "gemini" : "openai";
  if (url.startsWith("/v1/messages")) return "anthropic";
  return url.startsWith("/v1/models") && headers["anthropic-version"] !== undefined ? "anthropic" : "openai";
}

/** Whether a path belongs to an API that clients call, of whichever vendor; the others are this server's own. */
export function isApiPath(url: string): boolean {
  return url.startsWith("/v1/") || geminiPath.test(url);
}

const modelsPath = "/v1beta/models/";

/** Names of models may have slashes in them, which Gemini's client sends as they are: for the router it is one part of the path. */
export function joinModelName(url: string): string {
  if (!url.startsWith(modelsPath)) return url;
  const [path = "", ...query] = url.slice(modelsPath.length).split("?");
  return [modelsPath + path.replaceAll("/", "%2F"), ...query].join("?");
}

/** What the `authorization` header has, or would have: each vendor's clients send the key in a place of their own, too. */
export function readAuthorization(request: Addressed): string | undefined {
  const { authorization } = request.headers;
  const own = authorization === undefined ? readOwnKey(request) : null;
  return own === null ? authorization : `Bearer ${own}`;
}

function readOwnKey(request: Addressed): string | null {
  const { url, headers } = request;
  const read = (name: string) => [headers[name]].flat()[0] ?? null;
  switch (vendorOf(request)) {
    case "openai":
      return null;
    case "anthropic":
      return read("x-api-key");
    case "gemini":
      return read("x-goog-api-key") ?? new URLSearchParams(url.split("?")[1]).get("key");
  }
}

/** Has errors and request ids leave in the shape of the vendor that a request is written for, wherever they come from. */
export function answerAsVendor(app: HttpApp): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (vendorOf(request) === "anthropic") reply.header("request-id", request.id);
    done();
  });
  app.addHook("preSerialization", (request, reply, payload, done) => {
    const { data: body } = reply.statusCode < 400 ? { data: undefined } : errorBodySchema.safeParse(payload);
    const vendor = body === undefined ? "openai" : vendorOf(request);
    if (body === undefined || vendor === "openai") done(null, payload);
    else if (vendor === "anthropic") done(null, toAnthropicError(body, reply.statusCode, request.id));
    else {
      const { error } = toGeminiError(body, reply.statusCode);
      reply.code(error.code);
      done(null, { error });
    }
  });
}
