import { createStore, type StoreApi } from "zustand/vanilla";
import type { Source } from "#contract";
import { createUpload, type Upload, type UploadProgress, type UploadTarget } from "./upload-source.ts";

export interface RunningUpload {
  readonly status: "running";
  readonly name: string;
  readonly phase: UploadProgress["phase"];
  /** Sent or read so far, by the phase. */
  readonly bytes: number;
  readonly total: number;
  /** Counted so far. */
  readonly rows: number;
  /** Bytes a second; null as long as there is too little to tell. */
  readonly rate: number | null;
}

export type UploadState =
  | { readonly status: "idle" }
  | RunningUpload
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
  /** Goes on with the upload that failed, from the byte it came to. */
  retry(): void;
  /** Ends the upload, or puts the failed one away. */
  cancel(): void;
}

/** A rate is told from this many milliseconds on. */
const rateFrom = 400;

/** @param onDone hears of the source as soon as its rows are counted */
export function createSourceUpload(
  target: UploadTarget,
  onDone: (source: Source) => void,
  now: () => number = Date.now,
): SourceUpload {
  const state = createStore<UploadState>()(() => ({ status: "idle" }));
  let current: { file: File; upload: Upload; abort: AbortController } | null = null;

  async function run(file: File, upload: Upload): Promise<void> {
    const abort = new AbortController();
    const mine = { file, upload, abort };
    current = mine;
    let sent = bytesOf(state.getState());
    let started = { phase: "sending", at: now(), bytes: sent };
    const show = (progress: UploadProgress) => {
      const { phase, bytes } = progress;
      if (phase === "sending") sent = bytes;
      // Another phase, or a start from the first byte: its own rate.
      if (phase !== started.phase || bytes < started.bytes) started = { phase, at: now(), bytes };
      const elapsed = now() - started.at;
      const rate = elapsed < rateFrom ? null : ((bytes - started.bytes) / elapsed) * 1000;
      const running = { status: "running", name: file.name, rate } as const;
      state.setState({ total: file.size, rows: 0, ...progress, ...running }, true);
    };
    show({ phase: "sending", bytes: sent });
    try {
      const source = await upload.run(abort.signal, (progress) => {
        if (current === mine) show(progress);
      });
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
    retry() {
      if (current !== null && state.getState().status === "failed") void run(current.file, current.upload);
    },
    cancel,
  };
}

function bytesOf(state: UploadState): number {
  return state.status === "idle" ? 0 : state.bytes;
}
