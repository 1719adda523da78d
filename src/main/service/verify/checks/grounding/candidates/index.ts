export { checkCandidates, isLikelyAnswer } from "./check-candidates.ts";
export { numberKey, readCandidates } from "./read-candidates.ts";
export { isComparison, readWanted } from "./read-wanted.ts";
export { relationsOf } from "./relations.ts";
export { readSigns } from "./signs/read-signs.ts";
export { type SignName, type Signs, signNames } from "./signs/sign-names.ts";
export type { WantedKind } from "./wanted-kinds.ts";
