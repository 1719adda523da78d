export { toAnthropicError, toMessage, toMessageEvents } from "./anthropic-answer.ts";
export { fromMessageBatchId, toMessageBatch, toMessageBatchId, toMessageBatchResult } from "./anthropic-batch.ts";
export { toChatRequest } from "./anthropic-request.ts";
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
