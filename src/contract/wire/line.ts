import { z } from "zod";
import { chatCompletionSchema } from "./chat.ts";
import { errorBodySchema } from "./error.ts";

/** One line of an output or error file that was answered here (decisions.md, Lines of the output and error files). */
export const resultLineSchema = z.object({
  id: z.string(),
  /** Null where the request is damaged on disk, so that its id is not known. */
  custom_id: z.string().nullable(),
  response: z
    .object({
      status_code: z.int(),
      request_id: z.string(),
      body: z.union([chatCompletionSchema, errorBodySchema]),
    })
    .nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type ResultLine = z.infer<typeof resultLineSchema>;

/**
 * The same of any endpoint and any service. The body is the answer as its service sent it, or an error, which may have what
 * came of the answer next to it.
 */
export type WrittenLine = Omit<ResultLine, "response"> & {
  readonly response:
    | (Omit<NonNullable<ResultLine["response"]>, "body"> & { readonly body: Readonly<Record<string, unknown>> })
    | null;
};
