import { ServiceError } from "../errors.ts";
import type { Files } from "../files/index.ts";
import type { BatchRecord, FileRecord } from "../store/index.ts";
import type { Batches } from "./batches.ts";

interface FilesAndBatches {
  readonly files: Files;
  readonly batches: Batches;
}

/** The files and batches of this computer alone: what belongs to connections is neither shown nor touched by `/v1`. */
export function withoutConnections<T extends FilesAndBatches>(service: T): T {
  const { files, batches } = service;
  const all = () => batches.list({ limit: Number.POSITIVE_INFINITY, trials: true }).batches;
  const isLocal = ({ connection }: BatchRecord | FileRecord) => connection === null;

  function getFile(id: string): FileRecord | undefined {
    const file = files.get(id);
    return file !== undefined && isLocal(file) ? file : undefined;
  }

  return {
    ...service,
    files: {
      ...files,
      get: getFile,
      list: () => files.list().filter(isLocal),
      async remove(id) {
        if (getFile(id) === undefined) throw new ServiceError("not_found", `No such file: ${id}.`, "file_id");
        await files.remove(id);
      },
    },
    batches: {
      ...batches,
      async create(input) {
        const file = files.get(input.inputFileId);
        if (file !== undefined && !isLocal(file)) {
          throw new ServiceError("not_found", `No such file: ${file.id}.`, "input_file_id");
        }
        return await batches.create(input);
      },
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
