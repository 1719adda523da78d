export { createRulesThread } from "./rules-thread/index.ts";
export { createFindVerifier, type FindVerifier } from "./verifiers.ts";
