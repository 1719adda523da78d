export { verdictOf } from "./compose-claims.ts";
export { createRulesVerifier, createVerifier, loadRulesJudge, type VerifierParts } from "./create-verifier.ts";
export { findModel, type ModelSources } from "./find-model.ts";
export { listJson } from "./instructions/read-json.ts";
export { askModel, type OptionalParameter, unreadable, withoutThoughts } from "./model/ask-model.ts";
export { type NumberMention, readNumbers } from "./text/numbers.ts";
export { spacedLetter } from "./text/scripts.ts";
export type { Verifier, VerifyOptions } from "./types.ts";
