export { createVerifier, type VerifierParts } from "./create-verifier.ts";
export { createRulesVerifier, loadRulesJudge } from "./rules-verifier.ts";
export { type NumberMention, readNumbers } from "./text/index.ts";
export type { Check, Finding, Range, Reading, Text, Verifier, VerifyOptions } from "./types.ts";
