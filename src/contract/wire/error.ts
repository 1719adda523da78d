import { z } from "zod";

/** The body of every HTTP error (decisions.md, HTTP errors). */
export const errorBodySchema = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
