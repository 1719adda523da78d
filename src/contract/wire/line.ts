import { z } from "zod";
import { chatCompletionSchema } from "./chat.ts";
import { errorBodySchema } from "./error.ts";

/** One line of an output or error file of chat completions (decisions.md, Lines of the output and error files). */
export const resultLineSchema = z.object({
  id: z.string(),
  custom_id: z.string(),
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

/** The same of any endpoint, whose answers have a shape of their own. */
export type WrittenLine = Omit<ResultLine, "response"> & {
  readonly response: (Omit<NonNullable<ResultLine["response"]>, "body"> & { readonly body: object }) | null;
};
