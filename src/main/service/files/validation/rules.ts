import { z } from "zod";

/** A parameter that takes a number, with its range. */
const parameterRuleSchema = z.object({
  name: z.string(),
  integer: z.boolean(),
  minimum: z.number(),
  maximum: z.number(),
});
export type ParameterRule = z.infer<typeof parameterRuleSchema>;

const modelRuleSchema = z.object({
  id: z.string(),
  /** The id and its aliases. */
  names: z.array(z.string()),
  limits: z.object({ context: z.number(), output: z.number() }),
});
export type ModelRule = z.infer<typeof modelRuleSchema>;

/** What the checks of a batch input file need to know: plain data, so that it can be sent to a worker. */
export const checkRulesSchema = z.object({
  endpoint: z.string(),
  roles: z.array(z.string()),
  parameters: z.array(parameterRuleSchema),
  models: z.array(modelRuleSchema),
  fileLimits: z.object({ bytes: z.number(), requests: z.number() }),
});
export type CheckRules = z.infer<typeof checkRulesSchema>;
