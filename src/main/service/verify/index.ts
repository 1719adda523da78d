export { verdictOf } from "./compose-claims.ts";
export { createRulesVerifier, createVerifier, loadRulesJudge, type VerifierParts } from "./create-verifier.ts";
export { type NumberMention, readNumbers } from "./text/numbers.ts";
export type { Verifier, VerifyOptions } from "./types.ts";
