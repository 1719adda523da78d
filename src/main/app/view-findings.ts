import { type FindingView, mostFindings } from "#contract";
import { nameOf } from "#main/batches";
import type { Finding } from "#main/doctor";
import type { Service } from "#main/service";

type Named = Pick<Service, "batches" | "files">;

/** Findings for a page, damage first, with the batches that they touch; no batch has a name while there is no service. */
export function viewFindings(findings: readonly Finding[], service: Named | null) {
  const sorted = findings.toSorted((one, other) => Number(other.isDamage) - Number(one.isDamage));
  const shown = sorted.slice(0, mostFindings);
  const find = service === null || shown.length === 0 ? () => [] : createFinder(service);
  return {
    findings: shown.map(({ ids, ...finding }): FindingView => ({ ...finding, batches: find(finding.path, ids) })),
    damages: findings.filter(({ isDamage }) => isDamage).length,
    repairable: findings.filter(({ repair }) => repair !== null).length,
    more: findings.length - shown.length,
  };
}

const batchId = /\bbatch_[0-9A-Za-z]+/g;

/** Finds batches by their own ids, in a path or among others, and by those of their files. */
function createFinder(service: Named) {
  const { batches } = service.batches.list({ limit: Number.POSITIVE_INFINITY });
  const found = new Map<string, FindingView["batches"][number]>();
  for (const batch of batches) {
    const named = { id: batch.id, name: nameOf(batch, service) };
    for (const id of [batch.id, batch.inputFileId, batch.outputFileId, batch.errorFileId])
      if (id !== null) found.set(id, named);
  }
  return (path: string, ids: readonly string[]) => {
    const named = [...ids, ...(path.match(batchId) ?? [])].flatMap((id) => found.get(id) ?? []);
    return [...new Map(named.map((batch) => [batch.id, batch])).values()];
  };
}
