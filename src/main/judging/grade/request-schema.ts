import { z } from "zod";
import { parseJson } from "#main/storage";

const withSchema = z.object({
  body: z.object({
    response_format: z.object({ json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }) }),
  }),
});

/** The JSON schema that a request asks for, as text; null where it asks for none. */
export function schemaOf(request: string): string | null {
  const found = withSchema.safeParse(parseJson(request)).data;
  return found === undefined ? null : JSON.stringify(found.body.response_format.json_schema.schema);
}
