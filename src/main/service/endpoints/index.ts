export { completionsTranslator } from "./completions.ts";
export { findShape, type RequestShape } from "./request-shapes.ts";
export { responsesTranslator } from "./responses.ts";
export type { AnswerFacts, JsonObject, StreamEvent, TranslationProblem, Translator } from "./translation.ts";
