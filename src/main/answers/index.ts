export { findEnd } from "./answer-end.ts";
export { type AnswerText, composeText, composeWithOffsets, foldText, readAnswerText } from "./answer-text.ts";
export { type DataAddress, readBase64, readDataAddress } from "./data-address.ts";
export {
  isJsonObject,
  type JsonObject,
  parseAnswer,
  parseAnswerJson,
  parseAnswerObject,
  parseExactJson,
  printValue,
  type RawNumber,
  readAnswerFields,
  readExactJson,
  sortKeys,
  toEqualForm,
  valueAt,
} from "./exact-json.ts";
export { type FoundError, findError } from "./find-error.ts";
export { type FoundJson, findJson, listJson } from "./find-json.ts";
/** Whether a reply is an answer. What failed may have a part of one next to its error. */
export { isAnswered } from "./is-answered.ts";
export { type ChunkJoiner, createChunkJoiner } from "./join-chunks.ts";
export { parseBody } from "./parse-body.ts";
export { listCallColumns, listSentPictures, type ReadAnswer, readAnswer, readRequestText } from "./read-answer.ts";
export { readBill } from "./read-bill.ts";
export {
  type CallPiece,
  isCompletion,
  type ReadChoice,
  type ReadChunk,
  type ReadCompletion,
  type ReadDelta,
  type ReadUsage,
  readChunk,
  readChunks,
  readCompletion,
  readTokens,
  readUsage,
} from "./read-completion.ts";
export type { ReadContent, ReadLogprobs } from "./read-message.ts";
export { isOverLimit, listCodes, readErrorValue, readServiceError, type ServiceError } from "./service-error.ts";
