/** Where the entries of the service's worker threads are. */
export interface WorkerUrls {
  /** `files/validation/worker.ts`: checks batch input files. */
  readonly validation: URL;
  /** `verifications/rules-thread/worker.ts`: judges responses by rules. */
  readonly rules: URL;
}

/** The entries as they lie in the sources, for Node, which runs TypeScript as it stands. A bundle hands its own in. */
export function defaultWorkerUrls(): WorkerUrls {
  const validation = "./files/validation/worker.ts";
  const rules = "./verifications/rules-thread/worker.ts";
  return { validation: new URL(validation, import.meta.url), rules: new URL(rules, import.meta.url) };
}
