import type { SecretName, ServerView } from "#contract";

/** Where secrets outlive the process. Each call fails with an error that has no value in it. */
export interface SecretBackend {
  readonly kind: Exclude<ServerView["secrets"]["kind"], "memory">;
  /** One sentence for people. */
  readonly note: string;
  /** For an error: `the system's keychain`. */
  readonly name: string;
  load(): Promise<Secrets>;
  save(name: SecretName, value: string): Promise<void>;
  erase(name: SecretName): Promise<void>;
}

export type Secrets = ReadonlyMap<SecretName, string>;

/** A failure to store or to read secrets. It says where it happened and the next step, never a value. */
export class SecretError extends Error {
  override readonly name = "SecretError";
}
