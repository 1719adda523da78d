import { type CostReport, type JudgeCost, sumKnownCosts } from "#contract";
import type { ConnectionStore } from "#main/connections";
import { reportCosts } from "#main/results";
import type { Service } from "#main/service";

interface ReportParts {
  readonly service: Pick<Service, "batches" | "costs">;
  /** What models that judge cost in a month. */
  readonly readJudgeCosts: Service["readJudgeCosts"];
  readonly connections: Pick<ConnectionStore, "list">;
}

/** What the batches and judges of a month cost, by the names that connections have now, or had when they were removed. */
export async function readCostReport(month: string, parts: ReportParts): Promise<CostReport> {
  const { service, readJudgeCosts, connections } = parts;
  const all = await connections.list().catch(() => []);
  const names = new Map(all.map(({ id, name }) => [id, name]));
  return await reportCosts(month, {
    batches: service.batches.list({ limit: Number.POSITIVE_INFINITY, trials: true }).batches,
    costs: service.costs,
    judges: await readJudgeCosts(month),
    nameConnection: (id, kept) => names.get(id) ?? kept ?? "Removed connection",
  });
}

/** What models that judge cost in a month, by connection. */
export async function listJudgeCosts(
  month: string,
  { service, connections }: { readonly service: Pick<Service, "readJudgeCosts"> } & Pick<ReportParts, "connections">,
): Promise<JudgeCost[]> {
  const all = await connections.list().catch(() => []);
  const names = new Map(all.map(({ id, name }) => [id, name]));
  const byConnection = Map.groupBy(await service.readJudgeCosts(month), ({ connection }) => connection.id);
  return Array.from(byConnection, ([id, rows]) => ({
    connection: { id, name: names.get(id) ?? rows.at(-1)?.connection.name ?? "Removed connection" },
    answers: rows.reduce((sum, { answers }) => sum + answers, 0),
    cost: sumKnownCosts(
      rows.map(({ cost, answers, without_price: unknown }) => ({
        asked: answers,
        cost:
          cost === null
            ? null
            : { usd: cost, lines: answers - unknown, unknown, reported: 0, isCeiling: false, isToday: false },
      })),
    ),
  }));
}
