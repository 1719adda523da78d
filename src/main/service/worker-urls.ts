/** Where the entries of the service's worker threads are. */
export interface WorkerUrls {
  /** `files/validation/worker.ts`: checks batch input files. */
  readonly validation: URL;
  /** `verifications/judge-worker.ts`: judges responses by rules, and grades answers. */
  readonly judge: URL;
  /** `results/search-worker.ts`: looks for texts in results. */
  readonly search: URL;
}

/** The entries as they lie in the sources, for Node, which runs TypeScript as it is. A bundle hands its own in. */
export function defaultWorkerUrls(): WorkerUrls {
  const validation = "./files/validation/worker.ts";
  const judge = "./verifications/judge-worker.ts";
  const search = "./results/search-worker.ts";
  return {
    validation: new URL(validation, import.meta.url),
    judge: new URL(judge, import.meta.url),
    search: new URL(search, import.meta.url),
  };
}
