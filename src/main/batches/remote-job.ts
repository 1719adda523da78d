import { finalStatuses } from "#contract";
import type { OtherRemoteBatches, RemoteJob } from "#main/base";
import { createRequestReader } from "#main/results";
import type { BatchRecord, Store, StoredFolder } from "#main/storage";
import type { GivenReply } from "./answer-files.ts";
import type { BatchParts } from "./parts.ts";
import { describeDamaged, type RunParts } from "./run-lines.ts";

/** What a driver needs to take the lines of a batch that have no answer yet to a service that has batches of its own. */
export function createRemoteJob(
  parts: Pick<RunParts, "batchId" | "index" | "answers" | "onWaiting"> & Pick<BatchParts, "store" | "archives" | "ids">,
  current: () => BatchRecord,
  update: (change: Partial<Pick<BatchRecord, "remote" | "notice">>, isLasting: boolean) => void,
): RemoteJob {
  const { batchId, index, answers, store, archives, ids } = parts;
  /** Lines whose answer is on its way to the disk: only then the index has it. */
  const given = new Set<number>();
  const give = (line: number, record: () => void) => {
    if (index.isAnswered(line) || given.has(line)) return;
    record();
    given.add(line);
  };
  const answer = (line: number, customId: string | null, requestId: string | null, reply: GivenReply) =>
    give(line, () => answers.answer({ line, customId, requestId: requestId ?? ids.create("request") }, reply, null));
  return {
    batchId,
    name: current().metadata.name ?? batchId,
    total: index.total,
    async *readLines(from, to) {
      // Of its own: parts are read at the same time, at different places.
      const reader = createRequestReader(store.pathOf(current().inputFileId), index);
      for (let line = from; line <= to; line++) {
        if (reader.peek(line) === null) await reader.load(line);
        yield reader.isSound(line) ? reader.peek(line) : null;
      }
    },
    isAnswered: (line) => index.isAnswered(line) || given.has(line),
    answer: (line, customId, requestId, body) => answer(line, customId, requestId, { statusCode: 200, body }),
    fail: (line, customId, requestId, statusCode, error, partial) =>
      answer(line, customId, requestId, { statusCode, body: { ...partial, error } }),
    failDamaged: (line, wasSent) => answer(line, null, null, describeDamaged(line, wasSent)),
    skip: (line, customId, error) => give(line, () => answers.skip({ line, customId }, error)),
    drained: () => answers.drained(),
    get parts() {
      return current().remote;
    },
    keepParts: (remote) => update({ remote }, true),
    stored: () => store.synced(),
    showParts: (remote) => update({ remote }, false),
    wait: parts.onWaiting,
    notice: (notice) => update({ notice }, true),
    async others() {
      const folders = await archives();
      return describeOthers([store, ...folders], batchId);
    },
  };
}

function describeOthers(folders: readonly Pick<Store | StoredFolder, "batches">[], own: string): OtherRemoteBatches {
  const others = folders.flatMap(({ batches }) => batches.list().filter(({ id }) => id !== own));
  const isUnsure = others.some(
    ({ status, remote }) =>
      !finalStatuses.has(status) && remote?.some(({ sentAt, batchId }) => sentAt !== null && batchId === null),
  );
  const remoteIds = others.flatMap(({ remote }) => remote?.map(({ batchId }) => batchId) ?? []);
  return { batchIds: new Set(remoteIds.filter((id) => id !== null)), isUnsure };
}
