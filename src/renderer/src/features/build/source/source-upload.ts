import { ORPCError } from "@orpc/client";
import { createStore, type StoreApi } from "zustand/vanilla";
import {
  type OpenedFile,
  type Source,
  type SourceCopyProgress,
  type SourceHead,
  type SourceProgress,
  sourceChunkBytes,
} from "#contract";
import { readChunk } from "../../../bridge/index.ts";

export interface RunningUpload {
  readonly status: "running";
  readonly name: string;
  readonly phase: UploadProgress["phase"];
  /** Sent or read so far, by the phase. */
  readonly bytes: number;
  readonly total: number;
  /** Counted so far. */
  readonly rows: number;
  /** Bytes a second; null as long as there is too little to go by. */
  readonly rate: number | null;
  /** The first rows of a large file; null as long as they are not known. */
  readonly head: SourceHead | null;
}

/** A file that is no table, judged by its name or size, and what to do. */
interface RefusedUpload {
  readonly status: "refused";
  readonly name: string;
  readonly reason: string;
}

export type UploadState =
  | { readonly status: "idle" }
  | RunningUpload
  | RefusedUpload
  | {
      readonly status: "failed";
      readonly name: string;
      readonly bytes: number;
      readonly total: number;
      readonly error: unknown;
    };

/** The upload of a draft's source: one at a time, and a new file takes the place of the one under way. */
export interface SourceUpload {
  readonly state: Pick<StoreApi<UploadState>, "getState" | "getInitialState" | "subscribe">;
  start(file: File): void;
  /** The same with a file that the system opened: the app has it already. */
  open(file: OpenedFile): void;
  /** Shows in place of an upload why a file can't be one. */
  refuse(name: string, reason: string): void;
  /** Continues the upload that failed, from the first byte that did not arrive. */
  retry(): void;
  /** Ends the upload, or dismisses the failed or refused one. */
  cancel(): void;
}

/** A rate is shown from this many milliseconds on. */
const rateFrom = 400;

/** @param onDone gets the source as soon as its rows are counted */
export function createSourceUpload(
  target: UploadTarget & OpenTarget,
  onDone: (source: Source) => void,
  now: () => number = Date.now,
): SourceUpload {
  const state = createStore<UploadState>()(() => ({ status: "idle" }));
  let current: { file: Uploaded; upload: Upload; abort: AbortController } | null = null;

  async function run(file: Uploaded, upload: Upload): Promise<void> {
    const abort = new AbortController();
    const mine = { file, upload, abort };
    current = mine;
    let sent = bytesOf(state.getState());
    let started = { phase: "sending", at: now(), bytes: sent };
    let head: SourceHead | null = null;
    const showHead = (found: SourceHead) => {
      head = found;
      const shown = state.getState();
      if (current === mine && shown.status === "running") state.setState({ ...shown, head }, true);
    };
    const show = (progress: UploadProgress) => {
      const { phase, bytes } = progress;
      if (phase === "sending") sent = bytes;
      // Another phase, or a start from the first byte: its own rate.
      if (phase !== started.phase || bytes < started.bytes) started = { phase, at: now(), bytes };
      const elapsed = now() - started.at;
      const rate = elapsed < rateFrom ? null : ((bytes - started.bytes) / elapsed) * 1000;
      const running = { status: "running", name: file.name, rate, head } as const;
      state.setState({ total: file.size, rows: 0, ...progress, ...running }, true);
    };
    show({ phase: "sending", bytes: sent });
    try {
      const onProgress = (progress: UploadProgress) => {
        if (current === mine) show(progress);
      };
      const source = await upload.run(abort.signal, onProgress, showHead);
      if (current !== mine) return;
      current = null;
      state.setState({ status: "idle" }, true);
      onDone(source);
    } catch (error) {
      if (current !== mine) return;
      state.setState({ status: "failed", name: file.name, bytes: sent, total: file.size, error }, true);
    }
  }

  function cancel(): void {
    const stopped = current;
    current = null;
    state.setState({ status: "idle" }, true);
    stopped?.abort.abort();
    // What can't be dropped now is dropped by the main process in time.
    stopped?.upload.discard().catch(() => {});
  }

  return {
    state,
    start(file) {
      cancel();
      void run(file, createUpload(target, file));
    },
    open(file) {
      cancel();
      void run({ name: file.name, size: file.bytes }, createOpenedUpload(target, file.id));
    },
    refuse(name, reason) {
      cancel();
      state.setState({ status: "refused", name, reason }, true);
    },
    retry() {
      if (current !== null && state.getState().status === "failed") void run(current.file, current.upload);
    },
    cancel,
  };
}

/** What is shown of the file that is uploaded. */
type Uploaded = Pick<File, "name" | "size">;

function bytesOf(state: UploadState): number {
  return "bytes" in state ? state.bytes : 0;
}

/** The procedures of the `sources` contract that an upload takes. */
export interface UploadTarget {
  begin(input: { name: string }): Promise<{ id: string }>;
  append(
    input: { id: string; offset: number; chunk: Blob },
    options?: { signal?: AbortSignal },
  ): Promise<{ bytes: number }>;
  head(input: { id: string }): Promise<SourceHead | null>;
  finish(input: { id: string }, options?: { signal?: AbortSignal }): Promise<AsyncIterable<SourceProgress>>;
  discard(input: { id: string }): Promise<unknown>;
}

interface OpenTarget {
  open(input: { id: string }, options?: { signal?: AbortSignal }): Promise<AsyncIterable<SourceCopyProgress>>;
}

/** How far an upload is. `reading`: all bytes are there, and the rows are being counted. */
export type UploadProgress =
  | { readonly phase: "sending"; readonly bytes: number }
  | { readonly phase: "reading"; readonly bytes: number; readonly total: number; readonly rows: number };

/** An upload that can be tried again: what arrived in the first try is not sent a second time. */
export interface Upload {
  /** Sends what is not there yet. Rejects with the signal's reason when it is aborted. */
  run(
    signal: AbortSignal,
    onProgress: (progress: UploadProgress) => void,
    onHead?: (head: SourceHead) => void,
  ): Promise<Source>;
  /** Drops what has been sent. */
  discard(): Promise<void>;
}

/** Prepares the upload of a file in chunks, each sent when the one before has arrived. */
export function createUpload(target: UploadTarget, file: File, chunkBytes: number = sourceChunkBytes): Upload {
  let id: string | null = null;
  let offset = 0;

  function reset(): void {
    id = null;
    offset = 0;
  }

  /** Fetches the first rows, where what has arrived is enough to read them. Resolves to whether it was. */
  async function fetchHead(id: string, onHead: (head: SourceHead) => void): Promise<boolean> {
    // The rows come with the whole file in any case, so a failure here is not reported.
    const found = await target.head({ id }).catch(() => null);
    if (found !== null) onHead(found);
    return found !== null;
  }

  return {
    async run(signal, onProgress, onHead = () => {}) {
      signal.throwIfAborted();
      let isReading = false;
      try {
        id ??= (await target.begin({ name: file.name.slice(-255) })).id;
        let shown: Promise<boolean> | null = null;
        while (offset < file.size) {
          signal.throwIfAborted();
          onProgress({ phase: "sending", bytes: offset });
          const chunk = await readChunk(file, offset, offset + chunkBytes);
          ({ bytes: offset } = await target.append({ id, offset, chunk }, { signal }));
          if (offset < file.size) shown ??= fetchHead(id, onHead);
        }
        signal.throwIfAborted();
        isReading = true;
        // The rows of a workbook can be read only when all of it has arrived.
        if (shown !== null && !(await shown)) await fetchHead(id, onHead);
        onProgress({ phase: "reading", bytes: 0, total: offset, rows: 0 });
        return await followReading(await target.finish({ id }, { signal }), onProgress);
      } catch (error) {
        // The other side has no such upload any more, has it otherwise, or has dropped it because it could not read it: the
        // next try starts from the first byte.
        const isGone = error instanceof ORPCError && (isReading || ["NOT_FOUND", "CONFLICT"].includes(error.code));
        if (isGone) reset();
        throw error;
      }
    },
    async discard() {
      const sent = id;
      reset();
      if (sent !== null) await target.discard({ id: sent });
    },
  };
}

/** The same of a file that the app reads itself. What a stopped one left is removed by the app. */
function createOpenedUpload(target: OpenTarget, id: string): Upload {
  return {
    run: async (signal, onProgress) => followReading(await target.open({ id }, { signal }), onProgress),
    discard: async () => {},
  };
}

async function followReading(
  reading: AsyncIterable<SourceCopyProgress>,
  onProgress: (progress: UploadProgress) => void,
): Promise<Source> {
  for await (const event of reading) {
    if (event.phase === "read") return event.source;
    onProgress(event.phase === "copying" ? { ...event, phase: "sending" } : event);
  }
  throw new Error("The reading ended without a source.");
}
