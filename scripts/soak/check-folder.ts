import type { BatchRecord } from "#main/storage";
import { createSystemMachine } from "../../src/main/base/clock/machine.ts";
import {
  createNotingEngine,
  hashOf,
  isNotedAnswer,
  openFolder,
  readFile,
  readLines,
  settleAll,
  within,
} from "./service-run.ts";

/** How long a start, the rest of all batches or an end may take, in milliseconds. */
const longest = 30_000;
const machine = createSystemMachine();

/** What a data folder must have, by what its clients asked for and were told. */
export interface Expected {
  /** The hash of each upload that was answered and that nobody asked to remove, by its id. */
  readonly uploads: ReadonlyMap<string, string>;
  /** The hashes of all that was ever sent; nothing else may be handed out. */
  readonly sent?: ReadonlySet<string>;
  /** The batches that were answered and that nobody asked to remove, with their input files. */
  readonly batches: ReadonlyMap<string, string>;
  /** The requests of a batch that somebody asked for, whether or not that was answered; undefined for any other. */
  readonly requestsOf: (batch: Pick<BatchRecord, "id" | "metadata">) => readonly string[] | undefined;
  /** Batches whose cancel was answered. */
  readonly cancelled: ReadonlySet<string>;
  /** Batches that somebody asked to cancel, whether or not that was answered. */
  readonly cancels: ReadonlySet<string>;
  /** Files and batches whose removal was answered. */
  readonly removed: Iterable<string>;
  /** Whether a batch that can be restored is deleted, by what was answered last. */
  readonly deletions?: ReadonlyMap<string, boolean>;
  /** How many answers of a batch a client was told of. */
  readonly counted?: ReadonlyMap<string, number>;
  /** Lines of answers that a client has read, by their batch. */
  readonly read?: ReadonlyMap<string, Iterable<string>>;
  /** Whether a line of an answer file was written before; by default, whether it has the answer of the noting engine. */
  readonly isWritten?: (line: string, customId: string) => boolean;
  /** Codes of notices that are no problem. */
  readonly notices: readonly string[];
}

/**
 * Starts the service on a folder, lets all batches end, and returns all that is wrong: lost, back again, doubled, changed, asked though it
 * was answered, or stuck.
 */
export async function checkFolder(dataDir: string, expected: Expected): Promise<string[]> {
  const { uploads, sent, batches, requestsOf, cancelled, cancels, removed, counted, deletions, read, notices } =
    expected;
  const isWritten = expected.isWritten ?? isNotedAnswer;
  const problems: string[] = [];
  const engine = createNotingEngine();
  const service = await within(openFolder(dataDir, engine), longest, machine, "The start hangs");
  const readOrTell = (id: string) => readFile(service, id).catch((error: unknown) => String(error));
  try {
    const deleted = service.batches.listDeleted();
    for (const [id, isDeleted] of deletions ?? []) {
      if (deleted.some(({ batch }) => batch.id === id) !== isDeleted)
        problems.push(isDeleted ? `back again: the deleted batch ${id}` : `lost: the restored batch ${id}`);
    }
    // Each must be whole.
    for (const { batch } of deleted) await service.batches.restore(batch.id);
    for (const [id, hash] of uploads) {
      const bytes = await readOrTell(id);
      if (typeof bytes === "string") problems.push(`lost: the upload ${id}: ${bytes}`);
      else if (hashOf(bytes) !== hash) problems.push(`wrong bytes: the upload ${id}`);
    }
    for (const id of removed) {
      if ((service.files.get(id) ?? service.batches.get(id)) !== undefined) problems.push(`back again: ${id}`);
    }
    for (const [id, input] of batches) {
      if (service.batches.get(id)?.inputFileId !== input) problems.push(`lost: the batch ${id}`);
    }
    for (const id of cancelled) {
      const status = service.batches.get(id)?.status;
      if (status !== undefined && !["cancelling", "cancelled"].includes(status))
        problems.push(`lost: the cancel of ${id}, which is ${status}`);
    }
    for (const { id, purpose } of sent === undefined ? [] : service.files.list()) {
      if (purpose !== "batch" || uploads.has(id)) continue;
      const bytes = await readOrTell(id);
      if (typeof bytes !== "string" && !sent?.has(hashOf(bytes))) problems.push(`wrong bytes: the file ${id}`);
    }

    const hanging = await settleAll(service, longest);
    for (const id of hanging) {
      const { status, waiting } = service.batches.get(id) ?? {};
      problems.push(`hangs: the batch ${id}, ${status}, ${waiting}`);
    }
    const asked = new Set(engine.asked);
    if (asked.size !== engine.asked.length) problems.push("twice: a line was asked more than once after the start");
    const keys = new Set<string>();
    for (const batch of service.batches.list({ limit: 10_000 }).batches) {
      const { id, metadata, status, outputFileId, errorFileId, counts } = batch;
      if (hanging.includes(id)) continue;
      const requests = requestsOf(batch);
      if (requests === undefined) {
        problems.push(`never asked for: the batch ${id}`);
        continue;
      }
      const key = metadata.key ?? id;
      if (keys.has(key)) problems.push(`twice: the batch of ${key}`);
      keys.add(key);
      const linesOf = (file: string | null) =>
        readLines(service, file).catch((error: unknown) => {
          problems.push(`not whole: the file ${file} of ${id}, ${status}: ${error}`);
          return [];
        });
      const [output, errors] = [await linesOf(outputFileId), await linesOf(errorFileId)];
      const outputIds = output.map(idIn);
      const isCancelled = status === "cancelled" && cancels.has(id);
      if (status !== "completed" && !isCancelled)
        problems.push(`the batch ${id} is ${status}: ${JSON.stringify(batch.problems)}`);
      const ids = [...outputIds, ...errors.map(idIn)];
      if (!hasSame(ids, requests) && !(isCancelled && ids.length === 0 && counts.total === 0))
        problems.push(`lines: the batch ${id} (${status}) has ${ids.length} of ${requests.length}: not each once`);
      if (counts.completed !== output.length)
        problems.push(`counts: the batch ${id} counts ${counts.completed} of ${output.length}`);
      if (!isCancelled && errors.length > 0) problems.push(`a verdict: the batch ${id}: ${errors[0]}`);

      let before = 0;
      for (const [at, line] of output.entries()) {
        const customId = outputIds[at] ?? "";
        const wasAsked = asked.has(`${id} ${customId}`);
        if (!wasAsked) before += 1;
        if (!(wasAsked ? isNotedAnswer : isWritten)(line, customId))
          problems.push(`wrong bytes: a line of ${id}: ${line.slice(0, 80)}`);
      }
      const lost = (counted?.get(id) ?? 0) - before;
      if (lost > 0) problems.push(`lost: ${lost} answers of ${id} that were counted`);
      const lines = new Set(output);
      for (const line of read?.get(id) ?? []) {
        if (!lines.has(line)) problems.push(`lost: an answer of ${id} that was read: ${line.slice(0, 80)}`);
      }
      if (cancelled.has(id) && engine.asked.some((line) => line.startsWith(`${id} `)))
        problems.push(`asked: the batch ${id}, whose cancel was answered`);
    }
    for (const { code, message } of service.notices.list())
      if (!notices.includes(code)) problems.push(`notice: ${message}`);
  } finally {
    await within(service.close(0), longest, machine, "The end hangs");
  }
  return problems;
}

/** Quicker than reading all of the line; `readLines` has seen that it is whole. */
function idIn(line: string): string {
  const { custom_id } = JSON.parse(line) as { custom_id: string };
  return custom_id;
}

function hasSame(ids: readonly string[], others: readonly string[]): boolean {
  if (ids.length !== others.length) return false;
  const sorted = [...others].sort();
  return [...ids].sort().every((id, at) => id === sorted[at]);
}
