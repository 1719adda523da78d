import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { chatRequestSchema, finalStatuses, type Problem } from "#contract";
import type { RemoteDriver, RemoteJob, RemotePart, RemoteRun } from "#service";
import type { BatchAdapter, PartLine, RemoteOutcome } from "./batch-adapter.ts";
import { ConnectionError } from "./connection-error.ts";
import { type PartLimits, planParts } from "./plan.ts";
import type { RemoteBatch } from "./read-batch.ts";

export interface RemoteDriverOptions {
  readonly adapter: BatchAdapter;
  readonly limits: PartLimits;
  /** Where the files of parts lie while they are uploaded. */
  readonly folder: string;
  /** The longest between two looks at a running batch, in milliseconds: one that was just sent is looked at more often. */
  readonly pollInterval: number;
  /** The first wait after a failure of the connection, in milliseconds; it doubles up to five minutes. */
  readonly firstDelay: number;
}

const longestDelay = 5 * 60_000;
/** After the first look at a running batch, in milliseconds, and how it grows with each further one. */
const firstPause = 1_000;
const pauseGrowth = 1.25;
/** An unsure create may still arrive: it is looked for so often before it counts as not made. */
const looksForUnsure = 3;

const requestSchema = z.object({ custom_id: z.string(), body: chatRequestSchema });

/**
 * Takes batches to a service: plans, uploads, creates, polls, fetches. Whatever happens, no batch is created twice, and a
 * failure of the connection is no failure of a line: the run waits, says why, and tries again.
 */
export function createRemoteDriver(options: RemoteDriverOptions): RemoteDriver {
  return {
    check(text, line) {
      const encoded = options.adapter.encode(parsePartLine(text, line));
      if ("text" in encoded) return [];
      return encoded.problems.map(
        ({ param, message }): Problem => ({ code: "invalid_request", message, param, line, severity: "error" }),
      );
    },
    run: (job) => startRun(job, options),
  };
}

function parsePartLine(text: string, line: number): PartLine {
  const { custom_id: customId, body } = requestSchema.parse(JSON.parse(text));
  return { line, customId, request: body };
}

function startRun(
  job: RemoteJob,
  { adapter, limits, folder, pollInterval, firstDelay }: RemoteDriverOptions,
): RemoteRun {
  const aborting = new AbortController();
  const { signal } = aborting;
  let parts = job.parts ?? [];
  let stopped = false;
  const sleepers = new Set<() => void>();

  function change(part: RemotePart, next: Partial<RemotePart>): RemotePart {
    const changed = { ...part, ...next };
    parts = parts.map((other) => (other.token === part.token ? changed : other));
    job.keepParts(parts);
    return changed;
  }

  async function rest(milliseconds: number): Promise<void> {
    const woken = new AbortController();
    const wakeUp = () => woken.abort();
    sleepers.add(wakeUp);
    await sleep(milliseconds, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {});
    sleepers.delete(wakeUp);
    signal.throwIfAborted();
  }

  /** Does something that asks the service, again and again until it answers. */
  async function insist<T>(work: () => Promise<T>): Promise<T> {
    for (let delay = firstDelay; ; delay = Math.min(delay * 2, longestDelay)) {
      try {
        const result = await work();
        job.wait(null);
        return result;
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        job.wait(`${error.message} ${error.nextStep}`);
        await rest(Math.max(delay, error.retryAfter ?? 0));
      }
    }
  }

  const readPartLine = async (line: number) => parsePartLine(await job.readLine(line), line);

  async function plan(): Promise<void> {
    const bytes = new Float64Array(job.total);
    for (let line = 1; line <= job.total; line++) {
      const encoded = adapter.encode(await readPartLine(line));
      bytes[line - 1] = "text" in encoded ? Buffer.byteLength(encoded.text) + 1 : 0;
    }
    parts = planParts({ bytes, tokens: null }, limits).map(({ from, to }) => ({
      from,
      to,
      token: randomUUID(),
      fileId: null,
      sentAt: null,
      batchId: null,
      rawStatus: null,
      counts: null,
      isFetched: false,
    }));
    job.keepParts(parts);
  }

  async function* encodeLines({ from, to }: RemotePart): AsyncGenerator<string, void> {
    for (let line = from; line <= to; line++) {
      const encoded = adapter.encode(await readPartLine(line));
      if ("text" in encoded) yield `${encoded.text}\n`;
    }
  }

  /** Uploads and creates a part, from wherever it was left. */
  async function submit(part: RemotePart): Promise<RemotePart> {
    const path = join(folder, `${part.token}.jsonl`);
    const { request } = await readPartLine(part.from);
    const prepared = { path, name: job.name, token: part.token, model: request.model };
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await pipeline(Readable.from(encodeLines(part)), createWriteStream(path, { mode: 0o600 }), { signal });
      let current = part;
      if (current.sentAt !== null) current = await resolveUnsure(current, { ...prepared, fileId: current.fileId });
      if (current.batchId !== null) return current;
      if (current.fileId === null) {
        const fileId = await insist(() => adapter.upload({ ...prepared, fileId: null }, signal));
        current = change(current, { fileId });
      }
      return await create(current, { ...prepared, fileId: current.fileId });
    } finally {
      await rm(path, { force: true });
    }
  }

  async function create(part: RemotePart, submission: Parameters<BatchAdapter["create"]>[0]): Promise<RemotePart> {
    let current = part;
    for (let delay = firstDelay; ; delay = Math.min(delay * 2, longestDelay)) {
      current = change(current, { sentAt: Date.now() });
      try {
        const batch = await adapter.create(submission, signal);
        job.wait(null);
        return change(current, { batchId: batch.id, rawStatus: batch.rawStatus });
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        job.wait(`${error.message} ${error.nextStep}`);
        await rest(Math.max(delay, error.retryAfter ?? 0));
        // An answer that says no is sure; after anything else there may be a batch.
        const isSure = error.status !== null && error.status < 500 && error.status !== 408;
        if (!isSure) current = await resolveUnsure(current, submission);
        if (current.batchId !== null) return current;
      }
    }
  }

  /** Looks for the batch of an unsure create. Several that can't be told apart are for the user to decide. */
  async function resolveUnsure(
    part: RemotePart,
    submission: Parameters<BatchAdapter["create"]>[0],
  ): Promise<RemotePart> {
    const { sentAt } = part;
    if (sentAt === null) return part;
    const unsure = { ...submission, sentAt, lines: part.to - part.from + 1 };
    for (let look = 1; ; look++) {
      const taken = new Set(parts.map(({ batchId }) => batchId));
      const found = (await insist(() => adapter.findCreated(unsure, signal))).filter(({ id }) => !taken.has(id));
      const [batch] = found;
      if (batch !== undefined && found.length === 1)
        return change(part, { batchId: batch.id, rawStatus: batch.rawStatus });
      if (found.length > 1) {
        job.wait("The service has several batches that may be this one. Cancel this one, and look there which it is.");
      } else if (look >= looksForUnsure) {
        return change(part, { sentAt: null });
      }
      await rest(found.length > 1 ? longestDelay : firstDelay);
    }
  }

  /** Looks at a part until it has ended, and takes its results. */
  async function follow(part: RemotePart): Promise<void> {
    let current = part;
    let isCancelled = false;
    for (let pause = firstPause; ; pause *= pauseGrowth) {
      const id = current.batchId ?? "";
      if (stopped && !isCancelled) {
        await insist(() => adapter.cancel(id, signal).catch(ignoreRefusal));
        isCancelled = true;
      }
      const batch = await insist(() => adapter.get(id, signal).catch((error: unknown) => endIfGone(error, id)));
      const counts = batch.counts && { completed: batch.counts.completed, failed: batch.counts.failed };
      if (batch.rawStatus !== current.rawStatus || counts !== null) {
        current = change(current, { rawStatus: batch.rawStatus, counts });
      }
      if (finalStatuses.has(batch.status)) {
        await fetchResults(current, batch);
        change(current, { isFetched: true });
        return;
      }
      await rest(Math.min(pause, pollInterval));
    }
  }

  /** A batch that the service no longer has can only be given up, when its user does. */
  function endIfGone(error: unknown, id: string): RemoteBatch {
    const isGone = error instanceof ConnectionError && (error.status === 404 || error.status === 410);
    if (!stopped || !isGone) throw error;
    return { ...goneBatch, id };
  }

  /** Each line of the part that has no answer yet gets what came of it; a line that the service says nothing of, that. */
  async function fetchResults(part: RemotePart, batch: RemoteBatch): Promise<void> {
    const open = new Map<string, PartLine>();
    for (let line = part.from; line <= part.to; line++) {
      if (job.isAnswered(line)) continue;
      const partLine = await readPartLine(line);
      open.set(adapter.toRemoteId(partLine), partLine);
    }
    await insist(async () => {
      if (batch.rawStatus === goneBatch.rawStatus) return;
      for await (const { remoteId, outcome } of adapter.results(batch, signal)) {
        const line = open.get(remoteId);
        if (line === undefined) continue;
        open.delete(remoteId);
        record(line, outcome);
      }
    });
    for (const line of open.values()) record(line, explainMissing(batch));
    await job.drained();
  }

  function record({ line, customId }: PartLine, outcome: RemoteOutcome): void {
    switch (outcome.state) {
      case "answered":
        job.answer(line, customId, outcome.requestId, outcome.completion);
        break;
      case "failed":
        job.fail(line, customId, outcome.requestId, outcome.statusCode, outcome.error);
        break;
      case "never_ran":
        job.skip(line, customId, { code: `batch_${outcome.reason}`, message: outcome.message });
        break;
    }
  }

  async function runAll(): Promise<void> {
    if (job.parts === null) await plan();
    const following: Promise<void>[] = [];
    for (const part of parts) {
      if (part.isFetched) continue;
      // A part whose create was never sent costs nothing yet; an unsure one is looked for also when stopped.
      if (stopped && part.batchId === null && part.sentAt === null) continue;
      const submitted = part.batchId === null ? await submit(part) : part;
      if (submitted.batchId === null) continue;
      const followed = follow(submitted);
      // It is awaited below, once the other parts are sent: until then a failure waits.
      followed.catch(() => {});
      following.push(followed);
    }
    await Promise.all(following);
  }

  function wake(): void {
    for (const wakeUp of sleepers) wakeUp();
  }

  const ended = runAll().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

  return {
    ended,
    stop() {
      stopped = true;
      wake();
    },
    abort: () => aborting.abort(),
    wake,
  };
}

const goneBatch: Omit<RemoteBatch, "id"> = {
  status: "failed",
  rawStatus: "gone",
  counts: null,
  inputFileId: null,
  outputFileId: null,
  errorFileId: null,
  createdAt: null,
  endedAt: null,
  expiresAt: null,
  metadata: {},
  errors: ["It no longer has it."],
};

/** A batch that can't be cancelled has ended already, or is about to. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ConnectionError) || error.code !== "refused") throw error;
}

/** What is said of a line for which the service has no result. */
function explainMissing({ status, errors }: RemoteBatch): RemoteOutcome {
  if (status === "cancelled" || status === "expired") {
    const message = `The batch ${status === "cancelled" ? "was cancelled" : "expired"} before this request was answered.`;
    return { state: "never_ran", reason: status, message };
  }
  const said = errors.length > 0 ? `: ${errors.join(" ")}` : ".";
  const message =
    status === "failed"
      ? `The service refused the batch${said}`
      : "The service's results have nothing for this request.";
  const code = status === "failed" ? "batch_refused" : "result_missing";
  return {
    state: "failed",
    requestId: null,
    statusCode: 502,
    error: { message, type: "server_error", param: null, code },
  };
}
