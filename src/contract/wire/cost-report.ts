import { z } from "zod";

export const monthSchema = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "a month such as 2026-11");

/** How answers were asked: in batches, in trials of prompts, by judges of other answers, or with direct calls for what a batch left over. */
export const costKinds = ["batch", "trial", "judge", "direct"] as const;

/** What the answers of one day, connection, model and kind cost. */
export const costRowSchema = z.object({
  /** In UTC: when their batch was created. */
  day: z.iso.date(),
  connection: z.string(),
  model: z.string(),
  kind: z.enum(costKinds),
  /** That were asked: reused ones cost nothing, and are not counted. */
  answers: z.int(),
  prompt_tokens: z.int(),
  cached_tokens: z.int(),
  cache_write_tokens: z.int(),
  completion_tokens: z.int(),
  /** In US dollars; null where no price is known of any. */
  cost: z.number().nullable(),
  /** Answers whose cost is missing in it. */
  without_price: z.int(),
});
export type CostRow = z.infer<typeof costRowSchema>;

/** What a calendar month cost. Batches that were deleted are missing. */
export const costReportSchema = z.object({
  month: monthSchema,
  total: z.number(),
  /** Whether the price of some answers is not known. */
  at_least: z.boolean(),
  rows: z.array(costRowSchema),
});
export type CostReport = z.infer<typeof costReportSchema>;

/** The first moment of a month and that of the next, in Unix milliseconds. */
export function spanOfMonth(month: string): { readonly from: number; readonly to: number } {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return { from: Date.UTC(year, number - 1), to: Date.UTC(year, number) };
}

/** The month of a moment, in UTC. */
export function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}
