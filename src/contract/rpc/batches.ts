import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { endCountsSchema } from "../answer-ends.ts";
import { batchStatusSchema } from "../batch-status.ts";
import { errorCountsSchema } from "../error-kinds.ts";
import { problemGroupSchema } from "../problems.ts";
import { batchLinkSchema, batchSchema } from "../wire/batch.ts";
import { costReportSchema, monthSchema } from "../wire/cost-report.ts";
import { procedure } from "./errors.ts";

const milliseconds = z.number();

/** How long a deleted batch can be restored. */
export const deletedDays = 30;

/** What answers cost that were asked, in US dollars; reused ones cost nothing. */
export const batchCostSchema = z.object({
  usd: z.number(),
  /** Answers whose cost is in it, and ones that have none: their price is not known, or their tokens were not counted. */
  lines: z.int(),
  unknown: z.int(),
  /** Of the first, those whose service reported itself what they cost. */
  reported: z.int(),
  /** Whether some may have cost less: their service gives a discount that is not certain. */
  isCeiling: z.boolean(),
  /** Whether some of it is by today's prices: none are kept with the batch. */
  isToday: z.boolean(),
});
export type BatchCost = z.infer<typeof batchCostSchema>;

/** What models that judge on one connection cost. */
const judgeCostSchema = z.object({
  connection: z.object({ id: z.string(), name: z.string() }),
  /** Calls that were answered. */
  answers: z.int(),
  /** Null where no price is known. */
  cost: batchCostSchema.nullable(),
});
export type JudgeCost = z.infer<typeof judgeCostSchema>;

/** A batch as the app shows it. All times are Unix milliseconds. */
export const batchViewSchema = z.object({
  id: z.string(),
  /** `metadata.name`, else the input file's name. */
  name: z.string(),
  status: batchStatusSchema,
  /** The models its lines name, the most frequent first; empty until it has been checked. */
  models: z.array(z.string()),
  /** Of the answers that are here. */
  counts: z.object({
    total: z.int(),
    completed: z.int(),
    failed: z.int(),
    /** Answers that are known to be damaged on disk: they are not counted as answered or failed. */
    damaged: z.int(),
    /** Lines that were given up unasked because it was cancelled or has expired; 0 until it has ended. */
    neverRan: z.int(),
    /** Lines that its service counted as done, whose results it has not handed out: they may be paid. 0 until it has ended. */
    awaited: z.int(),
  }),
  /** How the answers ended that are here; null before there is one, and for batches of earlier versions. */
  ends: endCountsSchema.nullable(),
  link: batchLinkSchema.nullable(),
  inputFileId: z.string(),
  outputFileId: z.string().nullable(),
  errorFileId: z.string().nullable(),
  times: z.object({
    created: milliseconds,
    inProgress: milliseconds.nullable(),
    finalizing: milliseconds.nullable(),
    completed: milliseconds.nullable(),
    failed: milliseconds.nullable(),
    expires: milliseconds,
    expired: milliseconds.nullable(),
    cancelling: milliseconds.nullable(),
    cancelled: milliseconds.nullable(),
  }),
  /** Lines answered a second: over the last rounds of calls while running, over the whole run at its end; null while it waits, or is not known. */
  rate: z.number().nullable(),
  /** Milliseconds until the last line at that rate; null when not running or not known yet. */
  timeLeft: milliseconds.nullable(),
  /** How many problems its input file has; more than 0 only when it failed. */
  problemCount: z.int(),
  /** Where its lines are answered; null for this computer. */
  connection: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Why nothing moves at its connection, in a sentence or two; null while it does. */
  waiting: z.string().nullable(),
  /** True where the damaged data folder may have lost what was already paid for: its user decides whether it continues. */
  unclear: z.boolean(),
  /** Its parts at a service that has batches of its own, and that service's own word for where they are. */
  remote: z
    .object({
      parts: z.int(),
      rawStatus: z.string().nullable(),
      /** Lines that are done there, by its own count, whether their answers are here or not; null where it doesn't count. */
      done: z.int().nullable(),
      /** How much of the file that is on its way there has arrived, in bytes; null when none is. */
      uploaded: z.object({ bytes: z.int(), total: z.int() }).nullable(),
    })
    .nullable(),
  /**
   * Where it is not known whether its service has it, or a part of it: the service's batches that it may be, for the user to
   * decide; null where nothing is in doubt.
   */
  inDoubt: z
    .object({
      candidates: z.array(z.object({ id: z.string(), createdAt: milliseconds.nullable(), lines: z.int().nullable() })),
    })
    .nullable(),
  /**
   * What its end waits for: results that its service counted as done, or its user's word that it has ended. Null where it waits for
   * neither, and once it has ended.
   */
  endWaitsFor: z.enum(["results", "state"]).nullable(),
  /** Once it has ended: until when awaited results are read by themselves; null where none are awaited. */
  readUntil: milliseconds.nullable(),
  /** What is worth knowing of its run elsewhere and is no failure, such as that nothing has moved for long. */
  notice: z.string().nullable(),
  /** When it is cancelled if it still runs, and the rest is asked directly; null for never. */
  deadline: milliseconds.nullable(),
  /** Null where nothing of it is known, or it is still being counted. */
  cost: batchCostSchema.nullable(),
  /** Lines that were answered without being asked: from other batches, or from the same request further up. */
  reused: z.int(),
  /** True for a job of the command line: it can be read and exported here, not changed. */
  isReadOnly: z.boolean(),
  /** True where a mock made the answers up. */
  isMock: z.boolean(),
});
export type BatchView = z.infer<typeof batchViewSchema>;

/**
 * Why lines are asked again: `failed` may succeed now, `refused` failed with an error that comes again, `cut` and `empty` are answers,
 * `may_be_paid` have no answer and need a confirmation, `lines` are named.
 */
export const retryChoiceSchema = z.enum(["failed", "refused", "never_ran", "cut", "empty", "may_be_paid", "lines"]);
export type RetryChoice = z.infer<typeof retryChoiceSchema>;

const leftSchema = z.object({
  failed: z.int(),
  /** The failed ones by their errors. */
  errors: errorCountsSchema,
  damaged: z.int(),
  neverRan: z.int(),
  awaited: z.int(),
  /** Those that are awaited, and those whose results can't be read or are gone: they are asked again with a confirmation alone. */
  mayBePaid: z.int(),
  /** Answers that the limit of their tokens cut, or that are empty. */
  cut: z.int(),
  empty: z.int(),
});

/** The largest limit of an answer that can be asked for. */
export const mostTokens = 10_000_000;
const retryInput = z.object({
  id: z.string(),
  which: z.array(retryChoiceSchema).min(1),
  lines: z.array(z.int().min(1)).optional(),
  /** Whether the user has confirmed that lines may be paid twice. */
  evenIfPaid: z.boolean().optional(),
  /** Null is this computer; the batch's own connection by default. */
  connectionId: z.string().nullable().optional(),
  model: z.string().min(1).optional(),
  /** Of an answer to a cut, an empty or a named line: twice what a cut or empty one was allowed by default. */
  maxTokens: z.int().min(1).max(mostTokens).optional(),
});

/** One batch in full: the view, its rate over time, its problems, and the object as it is on the wire. */
export const batchDetailSchema = batchViewSchema.extend({
  /** Lines a second, one sample a second (thinned out on long runs), at most 120. */
  throughput: z.array(z.number()),
  problems: z.array(problemGroupSchema),
  /** Its lines that can be asked again: those that no retry has answered, or is about to. */
  left: leftSchema,
  /** The service dialect's object, as `GET /v1/batches/{id}` answers it. */
  wire: batchSchema,
});
export type BatchDetail = z.infer<typeof batchDetailSchema>;

/** What the grades and verdicts of a batch come to. */
export const batchQualitySchema = z.object({
  batchId: z.string(),
  /** Of the answers that passed or failed; null where there are none. */
  accuracy: z.object({ share: z.number(), passed: z.int(), graded: z.int() }).nullable(),
  /** Answers by verdict; null where none was verified. */
  verdicts: z
    .object({ contradicted: z.int(), not_found: z.int(), supported: z.int(), not_checkable: z.int() })
    .nullable(),
  /** Of these, how many the rules alone judged though a model was to. */
  rulesAlone: z.int(),
});
export type BatchQuality = z.infer<typeof batchQualitySchema>;

/** Which lines are asked again, and how. */
export type BatchRetry = z.infer<typeof retryInput>;

/** A deleted batch that can be restored. Times are Unix milliseconds of the computer. */
const deletedBatchSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: batchStatusSchema,
  /** Lines of it, and how many have an answer. */
  total: z.int(),
  completed: z.int(),
  connection: z.string().nullable(),
  models: z.array(z.string()),
  link: batchLinkSchema.nullable(),
  retries: z.int(),
  created: milliseconds,
  deletedAt: milliseconds,
  /** When it is removed for good. */
  removedAt: milliseconds,
  /** Of the files that go with it. */
  bytes: z.number(),
});
export type DeletedBatchView = z.infer<typeof deletedBatchSchema>;

const batchIdInput = z.object({ id: z.string() });

export const batchesContract = {
  /** Newest first, without trials unless asked. `after` is the id of the last batch of the page before. */
  list: procedure
    .input(
      z.object({
        limit: z.int().min(1).max(500).default(100),
        after: z.string().optional(),
        trials: z.boolean().default(false),
      }),
    )
    .output(z.object({ batches: z.array(batchViewSchema), hasMore: z.boolean() })),
  get: procedure.input(batchIdInput).output(batchDetailSchema),
  /** Has the service that a running batch is at asked soon, and often for a minute: for a page that shows the batch. */
  refresh: procedure.input(batchIdInput),
  /** What models that judged in a month cost, in UTC, by connection: batches whose answers they judged may be deleted. */
  judgeCosts: procedure.input(z.object({ month: monthSchema })).output(z.array(judgeCostSchema)),
  /** What the batches that were created in a month cost, and the models that judged in it, in UTC; deleted batches are missing. */
  costs: procedure.input(z.object({ month: monthSchema })).output(costReportSchema),
  /** Of all batches that were graded or verified. */
  qualities: procedure.output(z.array(batchQualitySchema)),
  /** How many lines of these batches can be asked again, in their order. */
  left: procedure.input(z.object({ ids: z.array(z.string()).max(500) })).output(z.array(leftSchema)),
  cancel: procedure.input(batchIdInput).output(batchViewSchema),
  /**
   * Makes a batch of those lines of another that failed or are damaged, never ran, have an answer that was cut or is empty, or are
   * named, linked to the one that it began with. Refused when there are none, or they are being asked already; and with `may_be_paid`
   * where some may be paid and `evenIfPaid` is not set. Each line is sent as
   * it was; with another `model`, for that; and with more tokens where its answer was cut or is empty.
   */
  retry: procedure.input(retryInput).output(batchViewSchema),
  /**
   * What the lines of such a retry may cost that may have longer answers, in US dollars: `most` where all have a limit, else
   * what is known. Null where no price is known.
   */
  retryCost: procedure.input(retryInput).output(z.object({ usd: z.number(), isMost: z.boolean() }).nullable()),
  /** Settles what is in doubt: the part is sent again, or one of the service's batches is taken for it. */
  settleCreate: procedure
    .input(
      z.object({
        id: z.string(),
        choice: z.discriminatedUnion("kind", [
          z.object({ kind: z.literal("send_again") }),
          z.object({ kind: z.literal("use"), batchId: z.string().trim().min(1) }),
        ]),
      }),
    )
    .output(batchViewSchema),
  /** Takes a batch as it is whose end waits for results, or for its user's word that it has ended. */
  stopWaiting: procedure.input(batchIdInput).output(batchViewSchema),
  /** Reads the results that an ended batch still awaits. Refused where its service can't be read. */
  fetchAgain: procedure.input(batchIdInput).output(batchViewSchema),
  /** Continues an unclear batch: lines without an answer here are asked. */
  resume: procedure.input(z.object({ id: z.string() })).output(batchViewSchema),
  rename: procedure
    .input(z.object({ id: z.string(), name: z.string().trim().min(1).max(200) }))
    .output(batchViewSchema),
  /** Of a batch on a connection that has not ended; null takes it back. */
  setDeadline: procedure.input(z.object({ id: z.string(), deadline: milliseconds.nullable() })).output(batchViewSchema),
  /** Deletes a batch and its retries: for 30 days it can be restored. Refused while one of them runs. */
  remove: procedure.input(batchIdInput),
  /** The batches that can be restored, the last deleted first. */
  deleted: procedure.output(z.array(deletedBatchSchema)),
  /** Restores a deleted batch with its retries, and the batch that it is a retry of where that is deleted, too. */
  restore: procedure.input(batchIdInput).output(batchViewSchema),
  /** Removes a deleted batch for good, with its retries and their files that no other batch needs. */
  purge: procedure.input(batchIdInput),
  /** Every change of any batch as it happens, merged to at most four a second for each batch. */
  watch: procedure.output(eventIterator(batchViewSchema)),
};
