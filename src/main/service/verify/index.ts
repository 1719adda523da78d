export { verdictOf } from "./compose-claims.ts";
export { createVerifier, type VerifierParts } from "./create-verifier.ts";
export { createRulesVerifier, loadRulesJudge } from "./rules-verifier.ts";
export { type NumberMention, readNumbers } from "./text/numbers.ts";
export type { Verifier, VerifyOptions } from "./types.ts";
