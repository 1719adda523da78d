import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { messageRoles } from "../wire/chat.ts";
import { procedure } from "./errors.ts";

/** A question to a model, with the conversation before it. */
export const playgroundRequestSchema = z.object({
  /** Who answers; null for this computer. */
  connectionId: z.string().nullable(),
  model: z.string().min(1),
  messages: z.array(z.object({ role: z.enum(messageRoles), content: z.string() })).min(1),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxTokens: z.int().min(1).optional(),
});
export type PlaygroundRequest = z.infer<typeof playgroundRequestSchema>;

/** Its result, piece by piece; the last is `done` or `failed`. */
export const playgroundEventSchema = z.discriminatedUnion("type", [
  /** More of the answer, or of what the model thinks before it. */
  z.object({ type: z.literal("delta"), text: z.string(), reasoning: z.string() }),
  z.object({
    type: z.literal("done"),
    /** In the service's own word. */
    finish: z.string().nullable(),
    /** Null where the server does not report it. */
    promptTokens: z.int().nullable(),
    completionTokens: z.int().nullable(),
    milliseconds: z.number(),
  }),
  /** What happened and the next step; the server's own words are the details. */
  z.object({ type: z.literal("failed"), message: z.string(), details: z.string() }),
]);
export type PlaygroundEvent = z.infer<typeof playgroundEventSchema>;

export const playgroundContract = {
  /** Asks a model. Abort it to stop the answer. */
  ask: procedure.input(playgroundRequestSchema).output(eventIterator(playgroundEventSchema)),
};
