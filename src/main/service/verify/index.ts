export { createVerifier, type VerifierParts } from "./create-verifier.ts";
export { createRulesVerifier, judgeByRules } from "./rules-judge.ts";
export type { Check, Finding, Range, Reading, Text, Verifier, VerifyOptions } from "./types.ts";
