export { verdictOf } from "./compose-claims.ts";
export { createRulesVerifier, createVerifier, loadRulesJudge, type VerifierParts } from "./create-verifier.ts";
export { listJson } from "./instructions/read-json.ts";
export { withoutThoughts } from "./model/ask-model.ts";
export { type NumberMention, readNumbers } from "./text/numbers.ts";
export { spacedLetter } from "./text/scripts.ts";
export type { Verifier, VerifyOptions } from "./types.ts";
