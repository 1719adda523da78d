export type { BatchVerdicts, JudgedLine } from "./batch-verdicts.ts";
export { type Judgement, judgementSchema, toJudgement, verdictOf } from "./judgement.ts";
export type { VerdictIndex } from "./verdict-index.ts";
export type { VerdictsHeader } from "./verdict-line.ts";
export { createVerdicts, type Verdicts } from "./verdicts.ts";
