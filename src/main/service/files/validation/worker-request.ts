import { z } from "zod";
import { checkRulesSchema } from "./rules.ts";

/** What the worker is asked: to check a file, or to stop that. `job` ties the replies to the request. */
export const workerRequestSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("check"), job: z.int(), path: z.string(), rules: checkRulesSchema }),
  z.object({ type: z.literal("abort"), job: z.int() }),
]);
export type WorkerRequest = z.infer<typeof workerRequestSchema>;
