import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { type ErrorBody, errorBodySchema } from "#contract";
import { type Vendor, vendors } from "#main/base";
import { anthropicErrorSchema, toAnthropicError, toGeminiError } from "#main/requests";
import type { HttpApp } from "./http-app.ts";

type Addressed = Pick<FastifyRequest, "url" | "headers">;

/** An error of a path that several vendors have. */
export const anyErrorSchema = z.union([errorBodySchema, anthropicErrorSchema]);

const geminiPath = /^\/((upload|download)\/)?v1beta\//;

/** What is different of one vendor's API, wherever on this server that matters. */
interface VendorApi {
  /** Whether a request is one of it. */
  owns(request: Addressed): boolean;
  /** The key, where its clients don't send it as `authorization`; null where there is none. */
  readKey(request: Addressed): string | null;
  /** Headers of each of its answers. */
  headers(requestId: string): Readonly<Record<string, string>>;
  /** An error in its own shape, with the status that it has then; null where it is that of the compatible API. */
  readonly toError:
    | null
    | ((body: ErrorBody, statusCode: number, requestId: string) => { readonly status: number; readonly body: unknown });
}

const readHeader = ({ headers }: Addressed, name: string) => [headers[name]].flat()[0] ?? null;

const vendorApis: Readonly<Record<Vendor, VendorApi>> = {
  anthropic: {
    // Where several vendors have a path, by the header that its clients send with every request.
    owns: ({ url, headers }) =>
      url.startsWith("/v1/messages") || (url.startsWith("/v1/models") && headers["anthropic-version"] !== undefined),
    readKey: (request) => readHeader(request, "x-api-key"),
    headers: (requestId) => ({ "request-id": requestId }),
    toError: (body, status, requestId) => ({ status, body: toAnthropicError(body, status, requestId) }),
  },
  gemini: {
    owns: ({ url }) => geminiPath.test(url),
    readKey: (request) =>
      readHeader(request, "x-goog-api-key") ?? new URLSearchParams(request.url.split("?")[1]).get("key"),
    headers: () => ({}),
    toError(body, statusCode) {
      const { error } = toGeminiError(body, statusCode);
      return { status: error.code, body: { error } };
    },
  },
  /** All that is no other vendor's. */
  openai: {
    owns: () => true,
    readKey: () => null,
    headers: () => ({}),
    toError: null,
  },
};

/** Whose API a request is written for. */
export function vendorOf(request: Addressed): Vendor {
  return vendors.find((vendor) => vendorApis[vendor].owns(request)) ?? "openai";
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
  const own = authorization === undefined ? vendorApis[vendorOf(request)].readKey(request) : null;
  return own === null ? authorization : `Bearer ${own}`;
}

/** Has errors and request ids leave in the shape of the vendor that a request is written for, wherever they come from. */
export function answerAsVendor(app: HttpApp): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(vendorApis[vendorOf(request)].headers(request.id));
    done();
  });
  app.addHook("preSerialization", (request, reply, payload, done) => {
    const { data: body } = reply.statusCode < 400 ? { data: undefined } : errorBodySchema.safeParse(payload);
    const error = body && vendorApis[vendorOf(request)].toError?.(body, reply.statusCode, request.id);
    if (!error) return done(null, payload);
    reply.code(error.status);
    done(null, error.body);
  });
}
