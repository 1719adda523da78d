import { basename, dirname, join } from "node:path";
import { createMemorySecretStore, type Logger, type Machine } from "#main/base";
import { createConnectionStore } from "#main/connections";
import { type Repaired, repairFolder } from "#main/doctor";
import { manifestFile, restoreManifest } from "./job-folder.ts";

interface RepairWithJobsDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly machine: Machine;
  readonly logger: Logger;
}

/** Repairs a data folder with its jobs. These have their own records, of which the manifest is a summary. */
export async function repairWithJobs(dir: string, { env, machine, logger }: RepairWithJobsDeps): Promise<Repaired> {
  // What the start in it would report is among the findings, and confirmed by the repair.
  const quiet = { ...logger, warn: () => {} };
  const connections = createConnectionStore(dir, createMemorySecretStore(), env);
  const repaired = await repairFolder(dir, { machine, logger: quiet });
  const findings = await Promise.all(
    repaired.findings.map(async (finding) => {
      if (basename(finding.path) !== manifestFile) return finding;
      const restored = await restoreManifest(join(dir, dirname(finding.path)), connections, quiet);
      return restored === null ? finding : { ...finding, repair: `${finding.repair}; rebuilt from the job's journal` };
    }),
  );
  return { ...repaired, findings };
}
