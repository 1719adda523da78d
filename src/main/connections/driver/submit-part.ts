import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { backOff } from "#contract";
import type { Machine, RemotePart } from "#main/base";
import { ConnectionError } from "../adapters/connection-error.ts";
import { findCreated, type SentPart } from "./find-created.ts";
import type { PartRun } from "./part-run.ts";

/** Between two updates of how much has been uploaded, in milliseconds. */
const uploadInterval = 1_000;
/** How long a run that is ended at once still waits for the answer to a create, in milliseconds. */
const createGrace = 2_000;

/** Uploads and creates a part, or resumes that. The part has no batch only if the run was cancelled before. */
export async function submitPart(part: RemotePart, run: PartRun): Promise<RemotePart> {
  const { adapter, signal, folder } = run;
  const path = join(folder, `${part.token}.jsonl`);
  try {
    const { model, remoteIds } = await writePart(part, path, run);
    const submission = { path, name: run.job.name, token: part.token, model, fileId: part.fileId };
    let current = part.sentAt === null ? part : await settleUnsure(part, { submission, remoteIds }, run);
    if (current.batchId !== null || run.isCancelled()) return current;
    if (current.fileId === null) {
      const showSent = showUploaded(current, run);
      const fileId = await run.retryUntilAnswered(() => adapter.upload(submission, run.sending, showSent));
      current = run.change(current, { fileId, uploaded: current.bytes });
    }
    return await createBatch(current, { submission: { ...submission, fileId: current.fileId }, remoteIds }, run);
  } catch (error) {
    signal.throwIfAborted();
    if (run.isCancelled() && error === run.sending.reason) return part;
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}

/** Writes the requests in the service's format; returns the model of the first, and the ids under which they are sent. */
async function writePart(
  part: RemotePart,
  path: string,
  { adapter, folder, lines, signal, job }: PartRun,
): Promise<{ model: string; remoteIds: ReadonlySet<string> }> {
  let model: string | null = null;
  const remoteIds = new Set<string>();
  async function* encode(): AsyncGenerator<string, void> {
    // Of one that may have been sent it is known at its end what became of them.
    const onDamaged = (line: number) => void (part.sentAt === null && job.failDamaged(line, false));
    for await (const line of lines(part, onDamaged)) {
      if (job.isAnswered(line.line)) continue;
      model ??= line.request.model;
      const encoded = adapter.encode(line);
      if (!("text" in encoded)) continue;
      remoteIds.add(adapter.toRemoteId(line));
      yield `${encoded.text}\n`;
    }
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await pipeline(Readable.from(encode()), createWriteStream(path, { mode: 0o600 }), { signal });
  return { model: model ?? "", remoteIds };
}

async function createBatch(part: RemotePart, sent: SentPart, run: PartRun): Promise<RemotePart> {
  const { adapter, cut, machine } = run;
  let current = part;
  for (let attempt = 0; ; attempt++) {
    await run.gate.enter(ownerOf(part, run), run.sending, () => run.wait(describeHeld));
    const before = await lookBefore(run);
    // Nothing is paid for what is cancelled before it was sent.
    if (run.isCancelled()) return current;
    current = run.change(current, { sentAt: machine.wall(), before });
    await storeParts(run);
    try {
      const batch = await adapter.create(sent.submission, abortLater(cut, machine));
      run.wait(null);
      run.learn({ keepsMetadata: Object.keys(batch.metadata).length > 0 });
      return run.change(current, {
        batchId: batch.id,
        before: null,
        rawStatus: batch.rawStatus,
        movedAt: machine.wall(),
      });
    } catch (error) {
      const wasNotMade = error instanceof ConnectionError && error.hasNoEffect;
      if (wasNotMade) current = run.change(current, { sentAt: null, before: null });
      else run.gate.hold(ownerOf(part, run));
      await run.waitAfter(error, attempt);
      if (!wasNotMade) current = await settleUnsure(current, sent, run);
      if (current.batchId !== null) return current;
    }
  }
}

const describeHeld =
  "The service may have another batch that Sheaf could not confirm. Until you settle or cancel that batch, no new ones are created at this address.";

/** By which a part holds the gate of its address. */
export const ownerOf = ({ from }: Pick<RemotePart, "from">, { job }: Pick<PartRun, "job">) => `${job.batchId} ${from}`;

/** Finds out whether an unsure create made a batch. No other is sent to this address meanwhile. */
async function settleUnsure(part: RemotePart, sent: SentPart, run: PartRun): Promise<RemotePart> {
  run.gate.hold(ownerOf(part, run));
  try {
    return await findCreated(part, sent, run);
  } finally {
    run.gate.release(ownerOf(part, run));
  }
}

/** What the service has before a create, as far as it can be read: none of that is what the create makes. */
async function lookBefore({ adapter, sending, signal }: PartRun): Promise<RemotePart["before"]> {
  try {
    return await adapter.newest(sending);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConnectionError || sending.aborted) return null;
    throw error;
  }
}

/** Nothing is sent that is to be paid before it is on the disk that it may have been: a disk that refuses is waited for. */
async function storeParts(run: PartRun): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await run.job.stored();
    } catch (error) {
      run.wait(error instanceof Error ? error.message : String(error));
      await run.sleep(backOff(attempt, { first: 1_000, longest: 60_000 }));
    }
  }
}

/** Aborted a moment after the signal: an answer on its way still settles whether the create succeeded. */
function abortLater(signal: AbortSignal, machine: Machine): AbortSignal {
  const later = new AbortController();
  const abort = () => machine.after(createGrace, () => later.abort(signal.reason), { unref: true });
  signal.addEventListener("abort", abort, { once: true });
  return later.signal;
}

/** Reports how many bytes of a part have been uploaded, throttled. */
function showUploaded(part: RemotePart, { machine, show }: PartRun): (bytes: number) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (uploaded) => {
    if (machine.monotonic() - last < uploadInterval) return;
    last = machine.monotonic();
    show(part, { uploaded });
  };
}
