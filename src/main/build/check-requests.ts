import type { CheckProgress } from "#contract";
import type { BatchApi } from "../connections/index.ts";
import type { StoredSource } from "./sources/index.ts";
import { createThrottle } from "./throttle.ts";

/** A number that changes, and a wait for its next change. */
function createLatest() {
  let value = 0;
  let next = Promise.withResolvers<void>();
  return {
    set(changed: number): void {
      value = changed;
      next.resolve();
      next = Promise.withResolvers<void>();
    },
    get: () => value,
    changed: () => next.promise,
  };
}

export interface CheckRequestsParts {
  readonly path: string;
  readonly source: StoredSource;
  readonly validateFile: BatchApi["validateFile"];
  /** Guesses the tokens of all prompts. */
  readonly countTokens: () => Promise<number>;
  readonly signal?: AbortSignal | undefined;
}

/** Checks a file of requests: the service does, just as it checks the file of a batch. */
export async function* checkRequests(parts: CheckRequestsParts): AsyncGenerator<CheckProgress> {
  const { path, source, validateFile, countTokens, signal } = parts;
  const total = source.rowCount;
  const read = createLatest();
  const isTime = createThrottle();
  const checked = validateFile(path, { onProgress: read.set, ...(signal === undefined ? {} : { signal }) });
  const ended = checked.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([ended, read.changed().then(() => false)]))) {
    if (!isTime()) continue;
    const bytes = read.get();
    const done = Math.min(total, Math.floor((bytes / source.bytes) * total));
    const nothingYet = { promptTokens: 0, errorCount: 0, warningCount: 0, groups: [] };
    yield { done, total, finished: false, bytes, ...nothingYet };
  }
  const { bytes, errorCount, warningCount, groups } = await checked;
  const promptTokens = await countTokens();
  yield { done: total, total, finished: true, bytes, promptTokens, errorCount, warningCount, groups: [...groups] };
}
