import { z } from "zod";

const most = { pairs: 16, key: 64, value: 512 };

/**
 * Pairs of text that a client attaches to what it creates, with the limits of the compatible API. A record of zod's would
 * drop a pair with the name `__proto__`, which is a name like any other here: the value is passed on as it came.
 */
export const metadataSchema = z
  .custom<Readonly<Record<string, string>>>()
  .check(({ value, issues }) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      issues.push({ code: "invalid_type", expected: "record", input: value });
      return;
    }
    const pairs = Object.entries(value);
    if (pairs.length > most.pairs)
      issues.push({ code: "custom", message: `At most ${most.pairs} pairs.`, input: value });
    for (const [key, text] of pairs) {
      const tooLong = (input: string, maximum: number) => ({
        code: "too_big" as const,
        origin: "string",
        maximum,
        inclusive: true,
        input,
        path: [key],
      });
      if (key.length > most.key) {
        const issue = { ...tooLong(key, most.key), path: [], message: "" };
        issues.push({ code: "invalid_key", origin: "record", issues: [issue], input: key, path: [key] });
      }
      if (typeof text !== "string") issues.push({ code: "invalid_type", expected: "string", input: text, path: [key] });
      else if (text.length > most.value) issues.push(tooLong(text, most.value));
    }
  })
  .meta({
    type: "object",
    additionalProperties: { type: "string", maxLength: most.value },
    propertyNames: { maxLength: most.key },
    maxProperties: most.pairs,
  });
