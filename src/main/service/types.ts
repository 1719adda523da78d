export type { Batches, BatchProgress, CreateBatch } from "./batches/index.ts";
export type { FileLimits, Files, PendingFile, ValidationReport } from "./files/index.ts";
export type { Model, ModelCatalog, TokenLimits } from "./models/index.ts";
export type { ResultFilter, Results } from "./results/index.ts";
export type { Service } from "./service.ts";
export type { BatchRecord, BatchTimes, FileRecord } from "./store/index.ts";
export type { Grades, ReadColumn, StartGrading, StartVerification, Verifications } from "./verifications/index.ts";
