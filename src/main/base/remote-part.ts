import { z } from "zod";

const timeOrNull = z.number().nullable();

export const remotePartSchema = z
  .object({
    /** Lines of the input file, from 1, both included. */
    from: z.int(),
    to: z.int(),
    /** Ours alone; the service is given it along with the part, where it takes such. */
    token: z.string(),
    fileId: z.string().nullable(),
    /** When its create was sent, in Unix milliseconds; without a `batchId` its result is not known. */
    sentAt: timeOrNull,
    batchId: z.string().nullable(),
    /**
     * The service's newest batches right before its create, none of which is this part, and by how many milliseconds the service's clock
     * was ahead of ours. Null once the result of the create is known, and where the list could not be read.
     */
    before: z
      .object({ ids: z.array(z.string()).readonly(), clockOffset: z.number().nullable() })
      .readonly()
      .nullable()
      .default(null),
    /**
     * The service's batches that may have come of a create without an answer, for the user to choose from, once looking for it
     * found none for sure; null before, and where there is nothing to choose.
     */
    candidates: z
      .array(z.object({ id: z.string(), createdAt: timeOrNull, lines: z.int().nullable() }).readonly())
      .readonly()
      .nullable()
      .default(null),
    /** The service's own word. */
    rawStatus: z.string().nullable(),
    /** As the service counts while it runs; null where it doesn't say. */
    counts: z.object({ completed: z.int(), failed: z.int() }).readonly().nullable(),
    /** All its results are in our files. */
    isFetched: z.boolean(),
    /**
     * What its end waits for: results that the service counts and doesn't hand out, or its user, because its state is a word that
     * isn't known. Null where it waits for nothing. Once `isFetched`, they are read now and then, and have taken `lines` of ours.
     */
    awaited: z
      .object({
        kind: z.enum(["results", "state"]),
        /** Since when, in Unix milliseconds. */
        since: z.number(),
        /** How many results are not there, as the service counts; its lines without one where it doesn't count. */
        results: z.int(),
        /** Lines that ended as `result_awaited`. */
        lines: z.int(),
        /** When the results were read last. */
        readAt: z.number(),
        /** Until when the service keeps them, as far as is known. */
        until: z.number(),
      })
      .readonly()
      .nullable()
      .default(null),
    /** Of the file that is sent, and how many of them have gone. */
    bytes: z.int().default(0),
    uploaded: z.int().default(0),
    /** About, of its prompts; 0 where the service does not limit them. */
    tokens: z.int().default(0),
    /** When the service last reported a change of it. */
    movedAt: timeOrNull.default(null),
    /** When its service was asked last; in memory only. */
    lookedAt: timeOrNull.default(null),
  })
  .readonly();
/**
 * A part of a batch at a service elsewhere, as far as it has come. Stored before each step that could be paid for, so that a
 * restart knows what may have been done.
 */
export type RemotePart = z.infer<typeof remotePartSchema>;
