import { z } from "zod";
import {
  batchLinkSchema,
  batchStatusSchema,
  endCountsSchema,
  filePurposeSchema,
  problemSchema,
  requestedOutcomes,
} from "#contract";
import { defaultScope, remotePartSchema, vendors } from "#main/base";

/** Unix milliseconds. */
const time = z.number();
const timeOrNull = z.number().nullable();

/** Pairs of text. A record of zod's would drop the one named `__proto__`. */
const metadataSchema = z.custom<Readonly<Record<string, string>>>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === "string"),
);

const fileRecordSchema = z
  .object({
    id: z.string(),
    filename: z.string(),
    purpose: filePurposeSchema,
    bytes: z.int(),
    /** Of the content, hexadecimal; null for a file that a batch is still writing. */
    sha256: z.string().nullable(),
    createdAt: time,
    /** When it is removed by itself; null for one that stays. */
    expiresAt: timeOrNull.default(null),
    /** True once a batch was made from it and its content did not pass the check. */
    faulty: z.boolean().default(false),
    /** The connection whose batches it belongs to, as input or with answers; null for a file of this computer's service. */
    connection: z.string().nullable().default(null),
    /** True for an input file that the app made, of a table or for a retry: batches of the app take a larger one. */
    generated: z.boolean().default(false),
    /** The scope whose clients see it. */
    scope: z.string().default(defaultScope),
    /** The vendor whose clients see it. */
    vendor: z.enum(vendors).default("openai"),
    /** As its client gave it; null where the vendor's API has none. */
    mimeType: z.string().nullable().default(null),
  })
  .readonly();
/** A stored file. Its bytes are on disk. */
export type FileRecord = z.infer<typeof fileRecordSchema>;

const batchTimesSchema = z
  .object({
    created: time,
    inProgress: timeOrNull,
    finalizing: timeOrNull,
    completed: timeOrNull,
    failed: timeOrNull,
    expires: time,
    expired: timeOrNull,
    cancelling: timeOrNull,
    cancelled: timeOrNull,
  })
  .readonly();
/** When a batch entered each state. */
export type BatchTimes = z.infer<typeof batchTimesSchema>;

/** Samples of earlier versions may be below zero: no record is refused for that. */
const throughputSchema = z
  .object({ sampleLength: z.number().positive(), samples: z.array(z.number()).readonly() })
  .readonly();
/** How many lines were answered in each of its samples, which are so many milliseconds long. */
export type Throughput = z.infer<typeof throughputSchema>;

const reusedAnswersSchema = z.object({ lines: z.int() }).readonly();
/** Lines that were answered without being asked. */
export type ReusedAnswers = z.infer<typeof reusedAnswersSchema>;

const tokenUsageSchema = z
  .object({ prompt: z.int(), cached: z.int(), completion: z.int(), reasoning: z.int() })
  .readonly();

const batchRecordSchema = z
  .object({
    id: z.string(),
    endpoint: z.string(),
    completionWindow: z.string(),
    inputFileId: z.string(),
    /** True where the app made both it and its input file, which may be larger than an upload then. */
    generatedInput: z.boolean().default(false),
    outputFileId: z.string().nullable(),
    errorFileId: z.string().nullable(),
    status: batchStatusSchema,
    times: batchTimesSchema,
    /** What ended it before all of its lines were asked; null for any other end, and while it runs. */
    endedBy: z.enum(["user", "deadline", "expiry"]).nullable().default(null),
    counts: z
      .object({
        total: z.int(),
        completed: z.int(),
        failed: z.int(),
        /** Of those that were answered: how many took an answer that was there already. */
        reused: z.int().optional(),
        /** Of those that failed: how many await their result, which the service counted as done. */
        awaited: z.int().optional(),
      })
      .readonly(),
    /** How its answers ended; null before there is one, and for batches of earlier versions. */
    ends: endCountsSchema.readonly().nullable().default(null),
    metadata: metadataSchema,
    /** The models its lines name, the most frequent first; empty until it has been checked. */
    models: z.array(z.string()).readonly(),
    /** All problems of the input file (bounded at 10,000 and one that counts the rest); empty unless `failed`. */
    problems: z.array(problemSchema).readonly(),
    /** Its throughput when the record was last stored; null until lines have been answered. */
    pace: throughputSchema.nullable().default(null),
    /** Where its lines are answered; null for the service's own engine. */
    connection: z.string().nullable().default(null),
    /** The name of its connection when it was made, which stays when that is removed; null for none, and from before it was kept. */
    connectionName: z.string().nullable().default(null),
    /** The record of what its answers cost, named when its requests were checked; null for none, and from before prices were kept. */
    prices: z.string().nullable().default(null),
    /** Its parts at a service that has batches of its own; null before it is planned, and for all others. */
    remote: z.array(remotePartSchema).readonly().nullable().default(null),
    /** True where the service's own engine may cost money for its lines, as an upstream does; a connection may always. */
    mayCost: z.boolean().default(false),
    /** True where what became of it may be lost: nothing is sent for it before its user has decided. */
    unclear: z.boolean().default(false),
    /** Why nothing moves at its connection, in a sentence or two; null while it does. */
    waiting: z.string().nullable().default(null),
    /** True where its lines are called one by one, also at a service that has batches. */
    direct: z.boolean().default(false),
    /** When it is cancelled, and what never ran is asked directly; null for none. */
    deadline: timeOrNull.default(null),
    /** Whether that was done: it is not done again, also where the retry that asked it is gone. */
    restAsked: z.boolean().default(false),
    /** What its user should know of its run at a service and is no failure, such as that nothing has moved for long. */
    notice: z.string().nullable().default(null),
    /** Whether answers of other batches are taken for the same requests, and the result of that; null before it is done. */
    reuse: z.boolean().default(false),
    reused: reusedAnswersSchema.nullable().default(null),
    /** Whether requests that are the same are asked once, and what the others of them took over; null before the end. */
    onceIdentical: z.boolean().default(false),
    copied: reusedAnswersSchema.nullable().default(null),
    /** The address and model names that its answers are from, as one word; null where not known, or several. */
    answeredAs: z.string().nullable().default(null),
    /** The fields of its answers that are columns, empty for answers in text; null before enough have come. */
    answerFields: z.array(z.string()).readonly().nullable().default(null),
    /** How it is to end, as its client asked; null for as it comes. */
    outcome: z.enum(requestedOutcomes).nullable().default(null),
    /** Answers that were found damaged on disk, in the output and in the error file; null where none is known to be. */
    damaged: z.object({ output: z.int(), error: z.int() }).readonly().nullable().default(null),
    /** Lines that were sent in vain, and how often, so that a restart gives them no more tries; null for none. */
    lineTries: z
      .array(z.tuple([z.int(), z.int()]).readonly())
      .readonly()
      .nullable()
      .default(null),
    /** The tokens of all its answers; null before it has ended. */
    usage: tokenUsageSchema.nullable().default(null),
    /** How long its output and error files are kept, in milliseconds; null for good. */
    outputLifetime: z.number().nullable().default(null),
    /** The batch that it belongs to; null for one that is alone. */
    link: batchLinkSchema.nullable().default(null),
    /** When its user deleted it, in Unix milliseconds of the computer: it can be restored. Null for a batch that is not deleted. */
    deletedAt: timeOrNull.default(null),
    /** The scope whose clients see it, and whose rules and faults hold for its lines. */
    scope: z.string().default(defaultScope),
    /** The vendor whose clients made it and see it. */
    vendor: z.enum(vendors).default("openai"),
  })
  .readonly();
/** A batch as the service stores it. Records are never changed in place: every change is a new object. */
export type BatchRecord = z.infer<typeof batchRecordSchema>;

/** When it was made, in Unix milliseconds of the computer; older versions did not say. The times in records are of a clock that can be turned. */
const changedAt = z.number().optional();

/**
 * Of a computer's clock that is too far ahead to be believed: what it would show, as far as is known, in Unix milliseconds, and
 * for how many milliseconds Sheaf has run since it was doubted.
 */
const clockDoubtSchema = z.object({ expected: z.number(), ran: z.number() }).readonly();
export type ClockDoubt = z.infer<typeof clockDoubtSchema>;

/**
 * A change of the records: one as it is from now on, or its end; or a setting. Journals of all versions are read: the
 * name of a field stays as it is.
 */
export const changeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("file"), record: fileRecordSchema, at: changedAt }),
  z.object({ kind: z.literal("batch"), record: batchRecordSchema, at: changedAt }),
  z.object({ kind: z.literal("file_removed"), id: z.string() }),
  z.object({ kind: z.literal("batch_removed"), id: z.string() }),
  z.object({ kind: z.literal("mcp_endpoint"), enabled: z.boolean() }),
  /** Whether something of the folder was found damaged, which its user has not confirmed yet. */
  z.object({ kind: z.literal("damage"), found: z.boolean() }),
  z.object({ kind: z.literal("clock_doubt"), doubt: clockDoubtSchema.nullable() }),
]);
export type Change = z.infer<typeof changeSchema>;
