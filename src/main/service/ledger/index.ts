export type { Answer, AnswerFacts, AnswerFile, AnswerPlace, LedgerAnswer } from "./answer.ts";
export { findUnsound } from "./check-tail.ts";
export { countEntered } from "./count-entered.ts";
export { isSoundAnswer, readAnswerLines } from "./read-answers.ts";
export { type FoundAnswer, type LedgerReading, noLedger, readLedger } from "./read-ledger.ts";
export type { LedgerPlace } from "./records.ts";
export { type LedgerWriter, openLedger } from "./write-ledger.ts";
