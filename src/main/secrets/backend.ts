import type { ServerView, StoredSecretName } from "#contract";

/** Where secrets outlive the process. Each call fails with an error that has no value in it. */
export interface SecretBackend {
  readonly kind: Exclude<ServerView["secrets"]["kind"], "memory">;
  /** One sentence for people. */
  readonly note: string;
  /** For an error: `the system's keychain`. */
  readonly name: string;
  /** All that it knows of without being asked for a name. */
  load(): Promise<Secrets>;
  /** One value as it is there now, also when another process stored it. */
  read(name: StoredSecretName): Promise<string | null>;
  save(name: StoredSecretName, value: string): Promise<void>;
  erase(name: StoredSecretName): Promise<void>;
}

export type Secrets = ReadonlyMap<StoredSecretName, string>;

/** A failure to store or to read secrets. It has where it happened and the next step, never a value. */
export class SecretError extends Error {
  override readonly name = "SecretError";
}
