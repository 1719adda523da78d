export { toAnthropicError, toMessage, toMessageEvents } from "./anthropic-answer.ts";
export { toChatRequest } from "./anthropic-request.ts";
export {
  type AnthropicModel,
  anthropicErrorSchema,
  anthropicModelSchema,
  countTokensSchema,
  type Message,
  type MessagesRequest,
  messageSchema,
  messagesRequestSchema,
  tokenCountSchema,
} from "./anthropic-wire.ts";
