/** Where the entries of the service's worker threads are. */
export interface WorkerUrls {
  /** `files/validation/worker.ts`: checks batch input files. */
  readonly validation: URL;
}

/** The entries as they lie in the sources, for Node, which runs TypeScript as it stands. A bundle hands its own in. */
export function defaultWorkerUrls(): WorkerUrls {
  const worker = "./files/validation/worker.ts";
  return { validation: new URL(worker, import.meta.url) };
}
