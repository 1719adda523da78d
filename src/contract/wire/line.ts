import { z } from "zod";
import { chatCompletionSchema } from "./chat.ts";
import { errorBodySchema } from "./error.ts";

/** One line of an output or error file (decisions.md, Lines of the output and error files). */
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
