import { create } from "zustand";
import { type FileReport, sourceChunkBytes } from "#contract";
import { type Rpc, readChunk } from "../../bridge/index.ts";

/** A file on its way to the service. */
export interface Upload {
  readonly key: string;
  readonly name: string;
  readonly total: number;
  readonly state:
    | { readonly phase: "waiting" }
    | { readonly phase: "sending"; readonly bytes: number }
    | { readonly phase: "checking"; readonly bytes: number }
    /** There are errors in it: the user decides. */
    | { readonly phase: "faulty"; readonly report: FileReport }
    | { readonly phase: "storing" }
    | { readonly phase: "stored"; readonly report: FileReport }
    | { readonly phase: "failed"; readonly error: unknown };
}

interface UploadsState {
  readonly uploads: readonly Upload[];
  /** Sends files one after another. They continue when the page is left. */
  add(files: readonly File[], rpc: Rpc): void;
  /** Stores one that has errors in it as it is. */
  storeAnyway(key: string): void;
  /** Ends it, or takes it from the list. */
  dismiss(key: string): void;
}

/** What is done with an upload from outside. */
interface Job {
  readonly stop: AbortController;
  readonly decision: PromiseWithResolvers<void>;
}

/** All uploads since the app was opened, as far as they were not dismissed. */
export const useUploads = create<UploadsState>()((set) => {
  const jobs = new Map<string, Job>();
  let last: Promise<void> = Promise.resolve();
  let count = 0;

  function show(key: string, state: Upload["state"]): void {
    set(({ uploads }) => ({ uploads: uploads.map((one) => (one.key === key ? { ...one, state } : one)) }));
  }

  async function run(key: string, file: File, { files }: Rpc, { stop, decision }: Job): Promise<void> {
    const { signal } = stop;
    const abandoned = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    let id: string | null = null;
    try {
      signal.throwIfAborted();
      ({ id } = await files.begin({ bytes: file.size }));
      for (let offset = 0; offset < file.size; ) {
        show(key, { phase: "sending", bytes: offset });
        const chunk = await readChunk(file, offset, offset + sourceChunkBytes);
        ({ bytes: offset } = await files.append({ id, offset, chunk }, { signal }));
      }
      let report: FileReport | null = null;
      for await (const event of await files.check({ id }, { signal })) {
        if (event.phase === "checked") report = event.report;
        else show(key, { phase: "checking", bytes: event.bytes });
      }
      if (report === null) throw new Error("The check ended without a result.");
      if (report.errorCount > 0) {
        show(key, { phase: "faulty", report });
        await Promise.race([decision.promise, abandoned]);
      }
      show(key, { phase: "storing" });
      await files.store({ id, filename: file.name.slice(-255) });
      id = null;
      show(key, { phase: "stored", report });
    } catch (error) {
      if (!signal.aborted) show(key, { phase: "failed", error });
    } finally {
      if (id !== null) await files.discard({ id }).catch(() => undefined);
    }
  }

  return {
    uploads: [],
    add(files, rpc) {
      for (const file of files) {
        count += 1;
        const key = `upload ${count}`;
        const job = { stop: new AbortController(), decision: Promise.withResolvers<void>() };
        jobs.set(key, job);
        const upload: Upload = { key, name: file.name, total: file.size, state: { phase: "waiting" } };
        set(({ uploads }) => ({ uploads: [...uploads, upload] }));
        const ended = last.then(() => run(key, file, rpc, job));
        // One that waits for a decision does not hold up those behind it.
        last = Promise.race([ended, whenFaulty(key)]);
      }
    },
    storeAnyway: (key) => jobs.get(key)?.decision.resolve(),
    dismiss(key) {
      jobs.get(key)?.stop.abort();
      jobs.delete(key);
      set(({ uploads }) => ({ uploads: uploads.filter((one) => one.key !== key) }));
    },
  };
});

function whenFaulty(key: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = useUploads.subscribe(({ uploads }) => {
      const phase = uploads.find((one) => one.key === key)?.state.phase;
      if (phase !== undefined && phase !== "faulty") return;
      stop();
      resolve();
    });
  });
}
