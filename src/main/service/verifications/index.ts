export { createRulesThread } from "./rules-thread/index.ts";
export { createVerifications } from "./verifications.ts";
export { createFindVerifier, type FindVerifier } from "./verifiers.ts";
