import type { CostReport } from "#contract";
import type { ConnectionStore } from "#main/connections";
import { reportCosts } from "#main/results";
import type { Service } from "#main/service";

interface ReportParts {
  readonly service: Pick<Service, "batches" | "costs">;
  readonly connections: Pick<ConnectionStore, "list">;
}

/** What the batches of a month cost, by the names that connections have now, or had when they were removed. */
export async function readCostReport(month: string, { service, connections }: ReportParts): Promise<CostReport> {
  const all = await connections.list().catch(() => []);
  const names = new Map(all.map(({ id, name }) => [id, name]));
  return await reportCosts(month, {
    batches: service.batches.list({ limit: Number.POSITIVE_INFINITY, trials: true }).batches,
    costs: service.costs,
    nameConnection: ({ connection, connectionName }) =>
      names.get(connection ?? "") ?? connectionName ?? "Removed connection",
  });
}
