import type { Query, QueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { lineStateSchema } from "#contract";
import type { Api } from "../bridge/index.ts";

/**
 * Has the results of a batch on screen fetched again: all of them, or what may still change while lines wait for answers.
 * Resolves when they are there.
 */
export async function invalidateResults(
  queryClient: QueryClient,
  { results }: Pick<Api, "results">,
  batchId: string,
  which: "all" | "waiting" = "all",
): Promise<void> {
  const parts = [results.rows, results.rowOf, results.line, results.summary, results.chart].map((part) =>
    queryClient.invalidateQueries({
      queryKey: part.key({ input: { batchId } }),
      ...(which === "waiting" && { predicate: isWaiting }),
    }),
  );
  await Promise.all(parts);
}

const rowSchema = z.object({ state: lineStateSchema });
const resultsSchema = z.union([
  z.object({ rows: z.array(rowSchema) }),
  rowSchema.transform((row) => ({ rows: [row] })),
]);

/** The key of a page of lines that are filtered or sorted. */
const chosenLinesSchema = z
  .tuple([z.unknown(), z.object({ input: z.object({ filter: z.unknown(), sort: z.unknown() }).partial() })])
  .refine(([, { input }]) => input.sort !== undefined || Object.keys(input.filter ?? {}).length > 0);

/** Whether a line of these results may still get its answer. Counts always change with it. */
function isWaiting({ state, queryKey }: Query): boolean {
  // Another answer may be among those that are filtered or sorted.
  if (chosenLinesSchema.safeParse(queryKey).success) return true;
  const results = resultsSchema.safeParse(state.data);
  return !results.success || results.data.rows.some((row) => row.state === "waiting");
}
