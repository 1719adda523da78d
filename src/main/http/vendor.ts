import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { type ErrorBody, errorBodySchema } from "#contract";
import { type Vendor, vendors } from "#main/base";
import { anthropicErrorSchema, geminiErrorSchema, toAnthropicError, toGeminiError } from "#main/requests";
import type { HttpApp } from "./http-app.ts";

type Addressed = Pick<FastifyRequest, "url" | "headers"> & { readonly is404?: boolean };

/** An error of a path that several vendors have. */
export const anyErrorSchema = z.union([errorBodySchema, anthropicErrorSchema]);

/** What is different of one vendor's API, wherever on this server that matters. */
interface VendorApi {
  /** Its paths besides those below `/v1`; null for none. */
  readonly ownPath: RegExp | null;
  /** Whether a request is one of it. */
  owns(request: Addressed): boolean;
  /** The key, where its clients don't send it as `authorization`; null where there is none. */
  readKey(request: Addressed): string | null;
  /** Headers of each of its answers. */
  headers(requestId: string): Readonly<Record<string, string>>;
  /** The form of its errors, and their name in the API description. */
  readonly error: { readonly name: string; readonly schema: z.ZodType };
  /** An error in its own shape, with the status that it has then; null where it is that of the compatible API. */
  readonly toError:
    | null
    | ((body: ErrorBody, statusCode: number, requestId: string) => { readonly status: number; readonly body: unknown });
}

const readHeader = ({ headers }: Addressed, name: string) => [headers[name]].flat()[0] ?? null;

/** Paths of several vendors. */
const sharedPath = /^\/v1\/(models|files|batches)(?=[/?]|$)/;

const vendorApis: Readonly<Record<Vendor, VendorApi>> = {
  anthropic: {
    ownPath: null,
    // Where several vendors have a path, or none has it, by the header that its clients send with every request.
    owns: ({ url, headers, is404 = false }) =>
      url.startsWith("/v1/messages") || (headers["anthropic-version"] !== undefined && (is404 || sharedPath.test(url))),
    readKey: (request) => readHeader(request, "x-api-key"),
    headers: (requestId) => ({ "request-id": requestId }),
    error: { name: "AnthropicError", schema: anthropicErrorSchema },
    toError: (body, status, requestId) => ({ status, body: toAnthropicError(body, status, requestId) }),
  },
  gemini: {
    ownPath: /^\/((upload|download)\/)?v1beta\//,
    owns: ({ url, headers, is404 = false }) => ownsPath("gemini", url) || (is404 && isOfGemini(headers, url)),
    readKey: (request) =>
      readHeader(request, "x-goog-api-key") ?? new URLSearchParams(request.url.split("?")[1]).get("key"),
    headers: () => ({}),
    error: { name: "GeminiError", schema: geminiErrorSchema },
    toError(body, statusCode) {
      const { error } = toGeminiError(body, statusCode);
      return { status: error.code, body: { error } };
    },
  },
  /** All that is no other vendor's. */
  openai: {
    ownPath: null,
    owns: () => true,
    readKey: () => null,
    headers: () => ({}),
    error: { name: "Error", schema: errorBodySchema },
    toError: null,
  },
};

function ownsPath(vendor: Vendor, url: string): boolean {
  return vendorApis[vendor].ownPath?.test(url) ?? false;
}

/** The name that the API description has for the errors of a vendor. */
export const errorNameOf = (vendor: Vendor): string => vendorApis[vendor].error.name;

/** The errors of all vendors, by these names. */
export const vendorErrors: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  vendors.map((vendor) => [errorNameOf(vendor), vendorApis[vendor].error.schema]),
);

/** Whose API a request is written for. */
export function vendorOf(request: Addressed): Vendor {
  return vendors.find((vendor) => vendorApis[vendor].owns(request)) ?? "openai";
}

/** Whether a path belongs to an API that clients call, of whichever vendor; the others are this server's own. */
export function isApiPath(url: string): boolean {
  return url.startsWith("/v1/") || vendors.some((vendor) => ownsPath(vendor, url));
}

/** Paths that belong to Gemini's clients alone since their API is no beta. */
const geminiPath =
  /^\/(upload\/|download\/)v1\/files(?=[/?]|$)|^\/v1\/models\/[^?]+:\w*(generateContent|GenerateContent|countTokens|EmbedContents?|embedContents?)(\?|$)/;

/** Paths of previews of Gemini's API. */
const alphaPath = /^\/((upload|download)\/)?v1alpha\//;

/**
 * A request of Gemini's clients to `/v1` is one to `/v1beta`, where its routes are. They are known by their headers, or by
 * their key; `/v1alpha` is theirs alone.
 */
export function moveGeminiPath({ headers }: Pick<Addressed, "headers">, url: string): string {
  const isGemini =
    geminiPath.test(url) ||
    alphaPath.test(url) ||
    (sharedPath.test(url) && headers["anthropic-version"] === undefined && isOfGemini(headers, url));
  return isGemini ? url.replace(/\/v1(alpha)?\//, "/v1beta/") : url;
}

function isOfGemini(headers: Addressed["headers"], url: string): boolean {
  return headers["x-goog-api-client"] !== undefined || headers["x-goog-api-key"] !== undefined || /[?&]key=/.test(url);
}

/** A slash at the end of a path makes no difference. */
export function dropLastSlash(url: string): string {
  const mark = url.indexOf("?");
  const path = mark === -1 ? url : url.slice(0, mark);
  if (!path.endsWith("/")) return url;
  return (path.replace(/\/+$/, "") || "/") + url.slice(path.length);
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
