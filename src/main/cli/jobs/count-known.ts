import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Connection } from "#contract";
import { createRandomIds } from "#main/base";
import { type ConnectionStore, openConnections } from "#main/connections";
import type { CommandProcess } from "../command-process.ts";
import type { InputRows } from "../input-rows.ts";
import { withTemporaryFolder } from "../temporary-folder.ts";
import { findJobsFolder, identifyJob } from "./job-folder.ts";
import { listArchives, openJobService } from "./open-job.ts";

/** Which of the requests a connection has answered before, in the app or in another job. Nothing is sent or stored. */
export async function countKnown(
  input: InputRows,
  connection: Connection,
  { store, dataDir }: { readonly store: ConnectionStore; readonly dataDir: string | undefined },
  io: CommandProcess,
): Promise<{ readonly known: number; readonly knownLines: ReadonlySet<number> }> {
  const job = join(findJobsFolder({ dataDir }, io), identifyJob(input, connection));
  return await withTemporaryFolder(io, async (folder) => {
    const path = join(folder, "rows.jsonl");
    const parts = join(folder, "parts");
    const connections = openConnections({ store, folder: parts, ids: createRandomIds(), machine: io.machine });
    try {
      await pipeline(input.read(), createWriteStream(path, { mode: 0o600 }));
      const archives = () => listArchives(job, connection.id);
      const service = await openJobService(join(folder, "job"), { connections, archives }, io);
      try {
        return await service.batches.countKnown(connection.id, path);
      } finally {
        await service.close();
      }
    } finally {
      await connections.close();
    }
  });
}
