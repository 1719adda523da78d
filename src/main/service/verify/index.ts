export { createRulesVerifier, judgeByRules } from "./rules-judge.ts";
export type { Check, Finding, Range, Reading, Text, Verifier, VerifyOptions } from "./types.ts";
