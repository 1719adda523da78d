import type { SecretName } from "#contract";
import type { Logger, SecretStore } from "#service";
import type { SecretPlace, Secrets } from "./place.ts";

/**
 * A store over a place that may stop to answer, as a keychain does that is locked or ended: what was read or made in
 * this session stays in use. It says then that changes are not kept, and tries again with the next one.
 */
export function createKeptStore(place: SecretPlace, loaded: Secrets, logger: Logger): SecretStore {
  const values = new Map(loaded);
  /** What the place does not have as it should. */
  const behind = new Set<SecretName>();

  async function keep(name: SecretName): Promise<void> {
    const value = values.get(name);
    if (value === undefined) await place.erase(name);
    else await place.save(name, value);
    behind.delete(name);
  }

  async function change(name: SecretName): Promise<void> {
    behind.add(name);
    try {
      for (const each of [...behind]) await keep(each);
    } catch (error) {
      logger.warn("a key or token was not kept", { name, place: place.name, error: tell(error) });
    }
  }

  return {
    get kind() {
      return behind.size === 0 ? place.kind : "memory";
    },
    get note() {
      return behind.size === 0
        ? place.note
        : `Not kept: ${place.name} no longer answers. What has changed since then is lost when Sheaf ends, and what was kept before holds again.`;
    },
    get: async (name) => values.get(name) ?? null,
    async set(name, value) {
      values.set(name, value);
      await change(name);
    },
    async remove(name) {
      values.delete(name);
      await change(name);
    },
  };
}

function tell(error: unknown): string {
  return error instanceof Error ? error.message : "unknown";
}
