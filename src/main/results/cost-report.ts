import { type CostReport, type CostRow, spanOfMonth } from "#contract";
import type { BatchRecord } from "#main/storage";
import type { BatchCosts } from "./batch-costs.ts";
import type { ModelCosts } from "./line-costs.ts";

interface ReportParts {
  /** Trials included. */
  readonly batches: readonly BatchRecord[];
  readonly costs: Pick<BatchCosts, "byModel">;
  /** Finds the name of a batch's connection. */
  readonly nameConnection: (batch: BatchRecord) => string;
}

/** What the batches cost that were created in a month, by day, connection, model and kind. */
export async function reportCosts(month: string, { batches, costs, nameConnection }: ReportParts): Promise<CostReport> {
  const { from, to } = spanOfMonth(month);
  const rows = new Map<string, CostRow>();
  for (const batch of batches) {
    const { created } = batch.times;
    if (batch.connection === null || created < from || created >= to) continue;
    const day = new Date(created).toISOString().slice(0, 10);
    const [connection, kind] = [nameConnection(batch), kindOf(batch)];
    for (const { model, ...one } of await costs.byModel(batch).catch(() => asUnknown(batch))) {
      const key = JSON.stringify([day, connection, model, kind]);
      const before = rows.get(key);
      rows.set(key, {
        day,
        connection,
        model,
        kind,
        answers: (before?.answers ?? 0) + one.answers,
        prompt_tokens: (before?.prompt_tokens ?? 0) + one.promptTokens,
        cached_tokens: (before?.cached_tokens ?? 0) + one.cachedTokens,
        cache_write_tokens: (before?.cache_write_tokens ?? 0) + one.cacheWriteTokens,
        completion_tokens: (before?.completion_tokens ?? 0) + one.completionTokens,
        cost: one.known === 0 ? (before?.cost ?? null) : (before?.cost ?? 0) + one.usd,
        without_price: (before?.without_price ?? 0) + one.unknown,
      });
    }
  }
  const sorted = [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  return {
    month,
    total: sorted.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    at_least: sorted.some(({ without_price: missing }) => missing > 0),
    rows: sorted,
  };
}

/** One whose answers can't be read hides no other: what they cost is missing. */
function asUnknown({ counts: { completed, reused = 0 } }: BatchRecord): ModelCosts[] {
  const answers = completed - reused;
  if (answers === 0) return [];
  const tokens = { promptTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, completionTokens: 0 };
  return [{ model: "", answers, ...tokens, usd: 0, known: 0, unknown: answers }];
}

function kindOf({ link, direct }: BatchRecord): CostRow["kind"] {
  if (link?.kind === "trial") return "trial";
  return direct ? "direct" : "batch";
}
