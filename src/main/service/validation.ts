/**
 * What a thread needs that checks lines and counts their tokens: Build's worker starts with this, not with the whole
 * service.
 */
export { createSample } from "./engines/random.ts";
export { contentNameSchema, contentsSchema } from "./files/check-content.ts";
export {
  type CheckRules,
  checkRulesSchema,
  createLineChecker,
  createProblemTally,
  describeIssues,
} from "./files/validation/index.ts";
export { createSchemaCompiler, parseJson, serveWorker, withoutDialect } from "./io/index.ts";
export { createValueTest } from "./results/column-values.ts";
export { countPromptTokens } from "./tokens/index.ts";
