import type { Vendor } from "#main/base";
import { ServiceError, shorten } from "#main/base";
import type { BatchRecord, FileRecord } from "#main/storage";
import type { Batches } from "./batches.ts";
import type { Files } from "./files/files.ts";

interface FilesAndBatches {
  readonly files: Files;
  readonly batches: Batches;
}

/**
 * The files and batches that one vendor's clients have in one scope on this computer: those of others and of connections are
 * neither shown nor touched, and what is made belongs to the scope and the vendor.
 */
export function limitToScope({ files, batches }: FilesAndBatches, scope: string, vendor: Vendor): FilesAndBatches {
  const isOwn = (record: BatchRecord | FileRecord) =>
    record.connection === null && record.scope === scope && record.vendor === vendor;
  const all = () => batches.list({ limit: Number.POSITIVE_INFINITY, trials: true }).batches;

  function getFile(id: string): FileRecord | undefined {
    const file = files.get(id);
    return file !== undefined && isOwn(file) ? file : undefined;
  }

  function getBatch(id: string): BatchRecord | undefined {
    const batch = batches.get(id);
    return batch !== undefined && isOwn(batch) ? batch : undefined;
  }

  function requireFile(id: string, param: string): void {
    if (getFile(id) === undefined) throw new ServiceError("not_found", `No such file: ${shorten(id)}.`, param);
  }

  return {
    files: {
      ...files,
      get: getFile,
      list: () => files.list().filter(isOwn),
      receive: (content, options) => files.receive(content, { ...options, scope, vendor }),
      async remove(id) {
        requireFile(id, "file_id");
        await files.remove(id);
      },
    },
    batches: {
      ...batches,
      async create(input) {
        requireFile(input.inputFileId, "input_file_id");
        return await batches.create({ ...input, scope, vendor });
      },
      get: getBatch,
      list({ limit, after }) {
        const own = all().filter((batch) => isOwn(batch) && batch.link?.kind !== "trial");
        const at = after === undefined ? -1 : own.findIndex(({ id }) => id === after);
        if (after !== undefined && at === -1) throw new ServiceError("not_found", noBatch(after), "after");
        return { batches: own.slice(at + 1, at + 1 + limit), hasMore: at + 1 + limit < own.length };
      },
      async cancel(id) {
        if (getBatch(id) === undefined) throw new ServiceError("not_found", noBatch(id), "batch_id");
        return await batches.cancel(id);
      },
      async remove(id, options) {
        if (getBatch(id) === undefined) throw new ServiceError("not_found", noBatch(id), "batch_id");
        await batches.remove(id, options);
      },
    },
  };
}

function noBatch(id: string): string {
  return `No such batch: ${shorten(id)}.`;
}
