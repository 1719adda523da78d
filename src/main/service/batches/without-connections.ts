import { ServiceError } from "../errors.ts";
import type { Files } from "../files/index.ts";
import type { BatchRecord } from "../store/index.ts";
import type { Batches } from "./batches.ts";

interface FilesAndBatches {
  readonly files: Files;
  readonly batches: Batches;
}

/** The files and batches of this computer alone: what belongs to connections is neither shown nor touched by `/v1`. */
export function withoutConnections<T extends FilesAndBatches>(service: T): T {
  const { files, batches } = service;
  const all = () => batches.list({ limit: Number.POSITIVE_INFINITY, trials: true }).batches;
  const isLocal = ({ connection }: BatchRecord) => connection === null;

  function isHidden(fileId: string): boolean {
    const users = all().filter(
      ({ inputFileId, outputFileId, errorFileId }) =>
        inputFileId === fileId || outputFileId === fileId || errorFileId === fileId,
    );
    return users.length > 0 && !users.some(isLocal);
  }

  return {
    ...service,
    files: {
      ...files,
      get: (id) => (isHidden(id) ? undefined : files.get(id)),
      list: () => files.list().filter(({ id }) => !isHidden(id)),
      async remove(id) {
        if (isHidden(id)) throw new ServiceError("not_found", `No such file: ${id}.`, "file_id");
        await files.remove(id);
      },
    },
    batches: {
      ...batches,
      get(id) {
        const batch = batches.get(id);
        return batch !== undefined && isLocal(batch) ? batch : undefined;
      },
      list({ limit, after }) {
        const local = all().filter((batch) => isLocal(batch) && batch.link?.kind !== "trial");
        const at = after === undefined ? -1 : local.findIndex(({ id }) => id === after);
        if (after !== undefined && at === -1) return batches.list({ limit, after });
        return { batches: local.slice(at + 1, at + 1 + limit), hasMore: at + 1 + limit < local.length };
      },
      async cancel(id) {
        const batch = batches.get(id);
        if (batch !== undefined && !isLocal(batch)) {
          throw new ServiceError("not_found", `No such batch: ${id}.`, "batch_id");
        }
        return await batches.cancel(id);
      },
    },
  };
}
