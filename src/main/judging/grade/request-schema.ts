import { z } from "zod";
import { parseJson } from "#main/storage";

const schemaSchema = z.object({ schema: z.record(z.string(), z.unknown()) });
const withSchema = z.object({
  body: z.union([
    z
      .object({ response_format: z.object({ json_schema: schemaSchema }) })
      .transform((body) => body.response_format.json_schema),
    // Of `/v1/responses`.
    z.object({ text: z.object({ format: schemaSchema }) }).transform((body) => body.text.format),
  ]),
});

/** The JSON schema that a request asks for, as text; null where it asks for none. */
export function schemaOf(request: string): string | null {
  // Most requests ask for none: those are not parsed.
  if (!request.includes("json_schema")) return null;
  const found = withSchema.safeParse(parseJson(request)).data;
  return found === undefined ? null : JSON.stringify(found.body.schema);
}
