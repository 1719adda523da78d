export { completionsTranslator } from "./endpoints/completions.ts";
export { dropForeign, dropServerTools, listForeign, listServerTools } from "./endpoints/drop-foreign.ts";
export { limitFieldsOf } from "./endpoints/request-shapes.ts";
export { responsesTranslator } from "./endpoints/responses.ts";
export type { AnswerFacts, JsonObject, StreamEvent, Translated, Translator } from "./endpoints/translation.ts";
export { loadSchemaCompiler } from "./load-schema-compiler.ts";
export {
  createModelCatalog,
  type Model,
  type ModelCatalog,
  parseModels,
  resolveModel,
  type Tier,
} from "./model-catalog.ts";
export { listProblems, type PartLine, parsePartLine, type TranslationProblem } from "./outgoing/part-line.ts";
export {
  checkForConnection,
  findUntranslatable,
  type RequestRules,
  requestRulesSchema,
} from "./outgoing/request-check.ts";
export { fromAnthropic, toAnthropic, toAnthropicId } from "./outgoing/translate-anthropic.ts";
export { fromGemini, toGemini, toGeminiBatch } from "./outgoing/translate-gemini.ts";
export { countPromptTokens, countTokens, splitTokens } from "./tokens/count-tokens.ts";
export { createBodyCheck, isAcceptedLeniently, isChatRequest } from "./validation/check-body.ts";
export type { ValidationReport } from "./validation/check-file.ts";
export { describeIssues, type IssueKind, listUnknownFields, narrowRanges } from "./validation/describe-issues.ts";
export {
  createFileChecker,
  createValidationThread,
  type FileChecker,
  type FileCheckOptions,
  type ValidationThread,
} from "./validation/file-checker.ts";
export { chooseFileLimits } from "./validation/file-limits.ts";
export { createLineChecker } from "./validation/line-checker.ts";
export { createProblemTally, groupProblems } from "./validation/problem-tally.ts";
export {
  type CheckRules,
  checkRulesSchema,
  connectionRules,
  createCheckRules,
  type FileLimits,
  longestInputLine,
  takeAnyModel,
} from "./validation/rules.ts";
export { toAnthropicError, toMessage, toMessageEvents } from "./vendors/anthropic-answer.ts";
export {
  fromMessageBatchId,
  toMessageBatch,
  toMessageBatchId,
  toMessageBatchResult,
} from "./vendors/anthropic-batch.ts";
export {
  anthropicFileSchema,
  deletedAnthropicFileSchema,
  fromAnthropicFileId,
  toAnthropicFile,
} from "./vendors/anthropic-files.ts";
export { readMessagesRequest } from "./vendors/anthropic-request.ts";
export {
  type AnthropicModel,
  anthropicErrorSchema,
  anthropicModelSchema,
  countTokensSchema,
  createMessageBatchSchema,
  deletedMessageBatchSchema,
  type Message,
  type MessagesRequest,
  messageBatchSchema,
  messageSchema,
  messagesRequestSchema,
  type Turn,
  tokenCountSchema,
} from "./vendors/anthropic-wire.ts";
export { toGeminiError, toGenerateAnswer, toGenerateEvents } from "./vendors/gemini-answer.ts";
export {
  fromGeminiBatchName,
  fromGeminiFileName,
  fromResultsName,
  toBatchOperation,
  toBatchResult,
  toGeminiFile,
} from "./vendors/gemini-batch.ts";
export {
  type BatchResult,
  batchLineSchema,
  batchOperationSchema,
  type CreateBatchRequest,
  createBatchRequestSchema,
  geminiFileSchema,
  startUploadSchema,
} from "./vendors/gemini-batch-wire.ts";
export { readEmbedRequest, toEmbedding } from "./vendors/gemini-embeddings.ts";
export { readGenerateRequest } from "./vendors/gemini-request.ts";
export {
  batchEmbedAnswerSchema,
  batchEmbedRequestSchema,
  countedTokensSchema,
  countRequestSchema,
  type EmbedRequest,
  embedAnswerSchema,
  embedRequestSchema,
  type GenerateRequest,
  geminiErrorSchema,
  geminiModelSchema,
  generateAnswerSchema,
  generateRequestSchema,
  toCamelCase,
} from "./vendors/gemini-wire.ts";
