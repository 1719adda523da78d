import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { faultSettingsSchema } from "../wire/faults.ts";
import { loggedRequestSchema } from "../wire/request-log.ts";
import { procedure } from "./errors.ts";

export const tierSchema = z.enum(["free", "standard"]);
/** How records look over HTTP (decisions.md, Two dialects). */
export const dialectNameSchema = z.enum(["service", "openai"]);
export type DialectName = z.infer<typeof dialectNameSchema>;
/** How fast the mock answers: at once, as a real model does, or in so many milliseconds. */
export const paceSchema = z.union([z.enum(["instant", "realistic"]), z.int().min(0).max(600_000)]);

/** What answers requests on this computer. */
export const engineChoiceSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("mock") }),
  /** By rules; what none of them matches is the mock's. */
  z.object({ kind: z.literal("scripted") }),
  /** A model elsewhere, at a connection. */
  z.object({
    kind: z.literal("upstream"),
    connectionId: z.string(),
    /** Its name for the model that answers all requests; null for the one that each of them names. */
    model: z.string().trim().min(1).max(200).nullable().default(null),
  }),
]);
export type EngineChoice = z.infer<typeof engineChoiceSchema>;

/** What is to be different from now on. */
export const serverChangeSchema = z.object({
  tier: tierSchema.optional(),
  dialect: dialectNameSchema.optional(),
  engine: engineChoiceSchema.optional(),
  pace: paceSchema.optional(),
  /** All of them: what is absent is off. */
  faults: faultSettingsSchema.optional(),
});
export type ServerChange = z.infer<typeof serverChangeSchema>;

/** A mistake in the rules of the scripted engine. */
export const ruleProblemSchema = z.object({ line: z.int().min(1), message: z.string() });
export type RuleProblem = z.infer<typeof ruleProblemSchema>;

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
    tier: tierSchema,
    dialect: dialectNameSchema,
  }),
  /** What can be steered while it runs. It holds for the batches of this computer, too. */
  controls: z.object({
    engine: engineChoiceSchema,
    pace: paceSchema,
    faults: faultSettingsSchema,
    /** Unix milliseconds, and how many of them it is ahead of the machine's clock. */
    clock: z.object({ now: z.int(), ahead: z.int() }),
  }),
  mcp: z.object({
    /** Clients reach it only while the server runs. */
    enabled: z.boolean(),
    url: z.string(),
    token: secretViewSchema,
  }),
  /** Where keys and tokens are stored. */
  secrets: z.object({
    kind: z.enum(["keychain", "safe_storage", "file", "memory"]),
    /** One sentence for the user; for `memory`, that they are not stored. */
    note: z.string(),
  }),
});
export type ServerView = z.infer<typeof serverViewSchema>;

export const secretNameSchema = z.enum(["api_key", "mcp_token"]);
export type SecretName = z.infer<typeof secretNameSchema>;

/** What is stored besides, and never shown: the key of each connection by its id, and the token of its MCP endpoint. */
export const storedSecretNameSchema = z.union([
  secretNameSchema,
  z.templateLiteral([z.enum(["connection", "connection-mcp"]), ":", z.string()]),
]);
export type StoredSecretName = z.infer<typeof storedSecretNameSchema>;

/** A request in the log, in short. */
export const requestRowSchema = loggedRequestSchema.pick({
  id: true,
  answered_at: true,
  method: true,
  path: true,
  query: true,
  state: true,
  status: true,
  duration_ms: true,
  bytes_sent: true,
  rule: true,
});
export type RequestRow = z.infer<typeof requestRowSchema>;

/** What is new in the log. */
export const requestNewsSchema = z.object({
  /** Whether all that came before is gone. */
  cleared: z.boolean(),
  /** Oldest first. */
  requests: z.array(requestRowSchema),
});
export type RequestNews = z.infer<typeof requestNewsSchema>;

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
  /** Works at once, whether the server listens or not. */
  change: procedure.input(serverChangeSchema).output(serverViewSchema),
  /** Answers when what falls due on the way is done. */
  turnClock: procedure
    .input(
      z.object({
        milliseconds: z
          .int()
          .min(1)
          .max(3_650 * 86_400_000),
      }),
    )
    .output(serverViewSchema),
  /** The text of the rules in force, or a sample where there are none yet. */
  rules: procedure.output(z.object({ text: z.string() })),
  checkRules: procedure
    .input(z.object({ text: z.string().max(1_000_000) }))
    .output(z.object({ rules: z.int(), problems: z.array(ruleProblemSchema) })),
  /** Has the rules in force and keeps them, unless there are problems. */
  setRules: procedure
    .input(z.object({ text: z.string().max(1_000_000) }))
    .output(z.object({ problems: z.array(ruleProblemSchema) })),
  /** The last 1,000 requests at first, then those that come. */
  watchRequests: procedure.output(eventIterator(requestNewsSchema)),
  /** All of a request, with its keys masked. */
  request: procedure.input(z.object({ id: z.string() })).output(loggedRequestSchema),
  clearRequests: procedure.output(z.object({})),
};
