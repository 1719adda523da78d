import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { procedure } from "./errors.ts";

/** A secret as the page sees it: never the value, unless the user asks to see or copy it. */
export const secretViewSchema = z.object({
  /** The last four characters; null where there is none yet. */
  lastFour: z.string().max(4).nullable(),
});
export type SecretView = z.infer<typeof secretViewSchema>;

/** The mock server and its MCP endpoint, as Server shows them. */
export const serverViewSchema = z.object({
  server: z.object({
    running: z.boolean(),
    /** `http://127.0.0.1:4747`, without `/v1`; the address that it would have while off. */
    url: z.string(),
    port: z.int(),
    key: secretViewSchema,
    /** One sentence on who answers. */
    engine: z.string(),
    tier: z.string(),
    dialect: z.string(),
  }),
  mcp: z.object({
    /** Clients reach it only while the server runs. */
    enabled: z.boolean(),
    url: z.string(),
    token: secretViewSchema,
  }),
  /** Where keys and tokens are kept. */
  secrets: z.object({
    kind: z.enum(["keychain", "safe_storage", "file", "memory"]),
    /** One sentence for the user; for `memory` it says that they are not kept. */
    note: z.string(),
  }),
});
export type ServerView = z.infer<typeof serverViewSchema>;

export const secretNameSchema = z.enum(["api_key", "mcp_token"]);
export type SecretName = z.infer<typeof secretNameSchema>;

/** What is stored besides, and never shown: the key of each connection, by its id. */
export const storedSecretNameSchema = z.union([secretNameSchema, z.templateLiteral(["connection:", z.string()])]);
export type StoredSecretName = z.infer<typeof storedSecretNameSchema>;

export const serverContract = {
  get: procedure.output(serverViewSchema),
  watch: procedure.output(eventIterator(serverViewSchema)),
  /** Listens on 127.0.0.1. A port in use is refused with the next step. */
  start: procedure.input(z.object({ port: z.int().min(0).max(65_535) })).output(serverViewSchema),
  stop: procedure.output(serverViewSchema),
  enableMcp: procedure.output(serverViewSchema),
  disableMcp: procedure.output(serverViewSchema),
  /** The value itself: only when the user asks to see or copy it. */
  reveal: procedure.input(z.object({ name: secretNameSchema })).output(z.object({ value: z.string() })),
  /** Makes a new one; the old one is refused from then on. */
  rotate: procedure.input(z.object({ name: secretNameSchema })).output(serverViewSchema),
};
