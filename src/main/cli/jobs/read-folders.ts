import { existsSync } from "node:fs";
import { join } from "node:path";
import { createRandomIds, createSystemClock } from "#main/base";
import { type ConnectionStore, openPrices } from "#main/connections";
import { createService, type Service } from "#main/service";
import type { CommandProcess } from "../command-process.ts";
import { findDataFolder } from "../data-folder.ts";
import { createCommandLogger } from "../open-service.ts";
import { withTemporaryFolder } from "../temporary-folder.ts";
import { findJobsFolder, listJobs } from "./job-folder.ts";

/** Reads the batches of a data folder and of its jobs, also while other processes work in them: nothing there is locked or written. */
export async function withFoldersRead<T>(
  { dataDir, store }: { readonly dataDir: string | undefined; readonly store: ConnectionStore },
  io: CommandProcess,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const folder = dataDir ?? findDataFolder("app", { env: io.env });
  const jobs = (await listJobs(findJobsFolder({ dataDir }, io))).map((job) => job.folder);
  const folders = [folder, ...jobs].filter((one) => existsSync(join(one, "journal.jsonl")));
  return await withTemporaryFolder(io, async (temporary) => {
    const service = await createService({
      dataDir: join(temporary, "reading"),
      archives: async () => folders,
      listsArchives: true,
      clock: createSystemClock(io.machine),
      machine: io.machine,
      ids: createRandomIds(),
      logger: createCommandLogger(io),
      ...io.threads,
    });
    try {
      service.setPrices(openPrices(store));
      return await work(service);
    } finally {
      await service.close();
    }
  });
}
