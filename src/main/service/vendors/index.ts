export { toAnthropicError, toMessage, toMessageEvents } from "./anthropic-answer.ts";
export { fromMessageBatchId, toMessageBatch, toMessageBatchId, toMessageBatchResult } from "./anthropic-batch.ts";
export { readMessagesRequest } from "./anthropic-request.ts";
export {
  type AnthropicModel,
  anthropicErrorSchema,
  anthropicModelSchema,
  countTokensSchema,
  createMessageBatchSchema,
  deletedMessageBatchSchema,
  type Message,
  type MessageBatch,
  type MessageBatchResult,
  type MessagesRequest,
  messageBatchSchema,
  messageSchema,
  messagesRequestSchema,
  tokenCountSchema,
} from "./anthropic-wire.ts";
export { toGeminiError, toGenerateAnswer, toGenerateEvents } from "./gemini-answer.ts";
export {
  fromGeminiBatchName,
  fromGeminiFileName,
  fromResultsName,
  toBatchOperation,
  toBatchResult,
  toGeminiBatchName,
  toGeminiFile,
} from "./gemini-batch.ts";
export {
  type BatchOperation,
  type BatchResult,
  batchLineSchema,
  batchOperationSchema,
  type CreateBatchRequest,
  createBatchRequestSchema,
  geminiFileSchema,
  startUploadSchema,
} from "./gemini-batch-wire.ts";
export { readEmbedRequest, toEmbedding } from "./gemini-embeddings.ts";
export { readGenerateRequest } from "./gemini-request.ts";
export {
  batchEmbedAnswerSchema,
  batchEmbedRequestSchema,
  countedTokensSchema,
  countRequestSchema,
  type EmbedRequest,
  embedAnswerSchema,
  embedRequestSchema,
  type GenerateAnswer,
  type GenerateRequest,
  geminiErrorSchema,
  geminiModelSchema,
  generateAnswerSchema,
  generateRequestSchema,
  toCamelCase,
} from "./gemini-wire.ts";
