import { finalStatuses } from "#contract";
import type { OtherRemoteBatches, RemoteJob } from "#main/base";
import { createRequestReader, type LineIndex } from "#main/results";
import type { BatchRecord, Store } from "#main/storage";
import type { AnswerFiles, GivenReply } from "./answer-files.ts";
import { describeDamaged } from "./call-lines.ts";
import type { BatchDeps } from "./deps.ts";

/** The lines of a batch; one that counts as answered is not asked. */
export type AskedLines = Pick<
  LineIndex,
  "total" | "request" | "isSoundRequest" | "isAnswered" | "hasAnswer" | "answer" | "isAwaited"
>;

/** What a driver needs to take the lines of a batch that have no answer yet to a service that has batches of its own. */
export function createRemoteJob(
  parts: Pick<BatchDeps, "store" | "archives" | "ids"> & {
    readonly batchId: string;
    readonly index: AskedLines;
    readonly answers: Pick<AnswerFiles, "append" | "drained">;
    readonly onWaiting: (reason: string | null) => void;
  },
  current: () => BatchRecord,
  update: (change: Partial<Pick<BatchRecord, "remote" | "notice">>, isLasting: boolean) => void,
): RemoteJob {
  const { batchId, index, answers, store, archives, ids } = parts;
  /** What is on its way to the disk: only then the index has it. */
  const given = new Map<number, "answer" | "error">();
  const hasAnswer = (line: number) => given.get(line) === "answer" || index.hasAnswer(line);
  const isAnswered = (line: number) => given.has(line) || (index.isAnswered(line) && !index.isAwaited(line));
  const answer = (line: number, customId: string | null, requestId: string | null, reply: GivenReply) =>
    answers.append({ line, customId, requestId: requestId ?? ids.create("request"), reply, milliseconds: null });
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
    isAnswered,
    hasAnswer,
    answer(line, customId, requestId, body) {
      if (hasAnswer(line)) return;
      answer(line, customId, requestId, { statusCode: 200, body });
      given.set(line, "answer");
    },
    fail(line, customId, requestId, statusCode, error, partial) {
      if (isAnswered(line)) return;
      answer(line, customId, requestId, { statusCode, body: { ...partial, error } });
      given.set(line, "error");
    },
    failDamaged(line, wasSent) {
      if (isAnswered(line)) return;
      answer(line, null, null, describeDamaged(line, wasSent));
      given.set(line, "error");
    },
    skip(line, customId, error) {
      if (isAnswered(line)) return;
      answers.append({ line, customId, reply: null, reason: error });
      given.set(line, "error");
    },
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

/** Deleted batches keep what is theirs at the service. */
function describeOthers(folders: readonly Pick<Store, "all">[], own: string): OtherRemoteBatches {
  const others = folders.flatMap(({ all }) => all.batches.list().filter(({ id }) => id !== own));
  const isUnsure = others.some(
    ({ status, remote }) =>
      !finalStatuses.has(status) && remote?.some(({ sentAt, batchId }) => sentAt !== null && batchId === null),
  );
  const remoteIds = others.flatMap(({ remote }) => remote?.map(({ batchId }) => batchId) ?? []);
  return { batchIds: new Set(remoteIds.filter((id) => id !== null)), isUnsure };
}
