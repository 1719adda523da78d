import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { RemotePart } from "#service";
import type { Submission } from "../adapters/batch-adapter.ts";
import { ConnectionError } from "../adapters/connection-error.ts";
import { longestDelay, type PartRun } from "./part-run.ts";

/** An unsure create may still arrive: it is looked for so often before it counts as not made. */
const looksForUnsure = 3;

/** Uploads and creates a part, from wherever it was left. Without a batch only where the run was stopped before. */
export async function submitPart(part: RemotePart, run: PartRun): Promise<RemotePart> {
  const { adapter, signal, folder } = run;
  const path = join(folder, `${part.token}.jsonl`);
  try {
    const { model, lines } = await writePart(part, path, run);
    const prepared = { path, name: run.job.name, token: part.token, model };
    let current = await resolveUnsure(part, { ...prepared, fileId: part.fileId }, lines, run);
    if (current.batchId !== null || run.isStopped()) return current;
    if (current.fileId === null) {
      const showSent = createSlowly(1_000, (uploaded) => run.show(current, { uploaded }));
      const fileId = await run.insist(() => adapter.upload({ ...prepared, fileId: null }, signal, showSent));
      current = run.change(current, { fileId, uploaded: current.bytes });
    }
    return await createBatch(current, { ...prepared, fileId: current.fileId }, lines, run);
  } finally {
    await rm(path, { force: true });
  }
}

/** The requests as the service takes them; answers with the model of the first, and how many there are. */
async function writePart(
  part: RemotePart,
  path: string,
  { adapter, folder, lines, signal, job }: PartRun,
): Promise<{ model: string; lines: number }> {
  let model: string | null = null;
  let count = 0;
  async function* encode(): AsyncGenerator<string, void> {
    for await (const line of lines(part)) {
      if (job.isAnswered(line.line)) continue;
      model ??= line.request.model;
      const encoded = adapter.encode(line);
      if (!("text" in encoded)) continue;
      count += 1;
      yield `${encoded.text}\n`;
    }
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await pipeline(Readable.from(encode()), createWriteStream(path, { mode: 0o600 }), { signal });
  return { model: model ?? "", lines: count };
}

async function createBatch(part: RemotePart, submission: Submission, lines: number, run: PartRun): Promise<RemotePart> {
  const { adapter, signal, firstDelay, job } = run;
  let current = part;
  for (let delay = firstDelay; ; delay = Math.min(delay * 2, longestDelay)) {
    // Whoever stops before anything was sent pays nothing.
    if (run.isStopped()) return current;
    current = run.change(current, { sentAt: Date.now() });
    try {
      const batch = await adapter.create(submission, signal);
      job.wait(null);
      run.learn({ keepsMetadata: Object.keys(batch.metadata).length > 0 });
      return run.change(current, { batchId: batch.id, rawStatus: batch.rawStatus, movedAt: Date.now() });
    } catch (error) {
      // An answer that says no is sure; after anything else there may be a batch.
      const status = error instanceof ConnectionError ? error.status : null;
      const isSure = status !== null && status < 500 && status !== 408;
      if (isSure) current = run.change(current, { sentAt: null });
      await run.waitAfter(error, delay);
      if (!isSure) current = await resolveUnsure(current, submission, lines, run);
      if (current.batchId !== null) return current;
    }
  }
}

/** Looks for the batch of an unsure create. Several that can't be told apart are for the user to decide. */
async function resolveUnsure(
  part: RemotePart,
  submission: Submission,
  lines: number,
  run: PartRun,
): Promise<RemotePart> {
  const { adapter, signal, firstDelay, job } = run;
  const { sentAt } = part;
  if (sentAt === null) return part;
  const unsure = { ...submission, sentAt, lines };
  for (let look = 1; ; look++) {
    const found = (await run.insist(() => adapter.findCreated(unsure, signal))).filter((batch) => !run.isTaken(batch));
    const [batch] = found;
    if (batch !== undefined && found.length === 1) {
      return run.change(part, { batchId: batch.id, rawStatus: batch.rawStatus, movedAt: Date.now() });
    }
    if (found.length > 1) {
      job.wait("The service has several batches that may be this one. Cancel this one, and look there which it is.");
    } else if (look >= looksForUnsure) {
      return run.change(part, { sentAt: null });
    }
    await run.rest(found.length > 1 ? longestDelay : firstDelay);
  }
}

/** Calls the function at most once in so many milliseconds. */
function createSlowly(interval: number, call: (value: number) => void): (value: number) => void {
  let last = 0;
  return (value) => {
    if (Date.now() - last < interval) return;
    last = Date.now();
    call(value);
  };
}
