import { z } from "zod";
import { dialectNameSchema, paceSchema, tierSchema } from "./rpc/server.ts";

/**
 * The settings of a mock server: what each accepts, and its default. The flags of `sheaf serve`, the settings that the
 * app stores and the service read them here.
 */
export const mockServerSettingsSchema = z.object({
  port: z.int().min(0).max(65_535).default(4747),
  /** Whose limits hold. */
  tier: tierSchema.default("standard"),
  dialect: dialectNameSchema.default("service"),
  /** Whether requests are accepted that the API rejects. */
  lenient: z.boolean().default(false),
  /** Whether direct calls are held to the tier's concurrency and requests per minute. */
  rateLimit: z.boolean().default(true),
  /** Whether every other name is a model, too. */
  anyModel: z.boolean().default(false),
  pace: paceSchema.default("instant"),
  /** Of the mock's answers and of faults. */
  seed: z.int().min(0).default(1),
  /** Seconds of the server's clock in one of the machine's. */
  clockSpeed: z.number().min(0).default(1),
  /** Of an upload. */
  maxFileBytes: z.int().min(1).default(200_000_000),
  /** Requests of a batch. */
  maxLines: z.int().min(1).default(50_000),
  /** Of one request of a batch. */
  maxLineBytes: z.int().min(1).default(16_000_000),
  /** Of all bodies in the request log. */
  logBodyBytes: z.int().min(0).default(64_000_000),
});
export type MockServerSettings = z.infer<typeof mockServerSettingsSchema>;
/** Those that were chosen. */
export type MockServerChoice = z.input<typeof mockServerSettingsSchema>;

export const mockServerDefaults: MockServerSettings = mockServerSettingsSchema.parse({});
