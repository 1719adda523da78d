import { type CostReport, type CostRow, spanOfMonth } from "#contract";
import type { BatchRecord } from "#main/storage";
import type { BatchCosts } from "./batch-costs.ts";
import type { JudgeCosts } from "./judge-cost-sum.ts";
import type { ModelCosts } from "./line-costs.ts";

interface ReportParts {
  /** Trials included. */
  readonly batches: readonly BatchRecord[];
  readonly costs: Pick<BatchCosts, "byModel">;
  readonly judges: readonly JudgeCosts[];
  /** The name of a connection by its id; `kept`: the one that it had. */
  readonly nameConnection: (id: string, kept: string | null) => string;
}

/** What the batches cost that were created in a month, and models that judged in it, by day, connection, model and kind. */
export async function reportCosts(month: string, parts: ReportParts): Promise<CostReport> {
  const { batches, judges, costs, nameConnection } = parts;
  const { from, to } = spanOfMonth(month);
  const rows = new Map<string, CostRow>();
  for (const batch of batches) {
    const { created } = batch.times;
    if (batch.connection === null || created < from || created >= to) continue;
    const day = new Date(created).toISOString().slice(0, 10);
    const [connection, kind] = [nameConnection(batch.connection, batch.connectionName), kindOf(batch)];
    for (const { model, ...one } of await costs.byModel(batch).catch(() => asUnknown(batch))) {
      addRow(rows, {
        day,
        connection,
        model,
        kind,
        answers: one.answers,
        prompt_tokens: one.promptTokens,
        cached_tokens: one.cachedTokens,
        cache_write_tokens: one.cacheWriteTokens,
        completion_tokens: one.completionTokens,
        cost: one.known === 0 ? null : one.usd,
        without_price: one.unknown,
      });
    }
  }
  for (const { connection, ...judged } of judges) {
    addRow(rows, { ...judged, connection: nameConnection(connection.id, connection.name), kind: "judge" });
  }
  const sorted = [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  return {
    month,
    total: sorted.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    at_least: sorted.some(({ without_price: missing }) => missing > 0),
    rows: sorted,
  };
}

/** To the row of the same day, connection, model and kind. */
function addRow(rows: Map<string, CostRow>, row: CostRow): void {
  const { day, connection, model, kind, cost } = row;
  const key = JSON.stringify([day, connection, model, kind]);
  const before = rows.get(key);
  if (before === undefined) {
    rows.set(key, row);
    return;
  }
  rows.set(key, {
    ...row,
    answers: before.answers + row.answers,
    prompt_tokens: before.prompt_tokens + row.prompt_tokens,
    cached_tokens: before.cached_tokens + row.cached_tokens,
    cache_write_tokens: before.cache_write_tokens + row.cache_write_tokens,
    completion_tokens: before.completion_tokens + row.completion_tokens,
    cost: cost === null ? before.cost : (before.cost ?? 0) + cost,
    without_price: before.without_price + row.without_price,
  });
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
