import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { sortKeys } from "#main/answers";
import type { Clock } from "#main/base";
import { ServiceError, shorten } from "#main/base";

/** What the requests of a scope have created under an `Idempotency-Key`: a repeated request gets the same answer. */
export interface Creations {
  /**
   * Creates it, or gives what the same request created before, within 24 hours. What failed, or is not created by
   * `isCreated`, is tried again. Throws a 409 ServiceError where the key came with another body.
   */
  once<T extends object>(
    request: FastifyRequest,
    body: unknown,
    create: () => T | Promise<T>,
    isCreated?: (value: T) => boolean,
  ): T | Promise<T>;
}

const header = "idempotency-key";
const longestKey = 255;
const lifetime = 24 * 60 * 60_000;
/** How many are kept of a scope; the oldest give way. */
const mostCreations = 1_000;

interface Creation {
  readonly at: number;
  readonly digest: string;
  readonly created: Promise<object>;
}

export function createCreations(clock: Clock): Creations {
  /** By path and key, the oldest first. */
  const creations = new Map<string, Creation>();

  function removeOld(now: number): void {
    for (const [name, { at }] of creations) {
      if (at + lifetime > now && creations.size <= mostCreations) return;
      creations.delete(name);
    }
  }

  return {
    once<T extends object>(
      { method, url, headers }: FastifyRequest,
      body: unknown,
      create: () => T | Promise<T>,
      isCreated: (value: T) => boolean = () => true,
    ): T | Promise<T> {
      const key = headers[header];
      if (typeof key !== "string") return create();
      if (key.length === 0 || key.length > longestKey) {
        throw new ServiceError("invalid_value", `An idempotency key has 1 to ${longestKey} characters.`, header);
      }
      const now = clock.now();
      removeOld(now);
      const name = `${method} ${url} ${key}`;
      const digest = createHash("sha256").update(JSON.stringify(body, sortKeys)).digest("hex");
      const known = creations.get(name);
      if (known === undefined) {
        const created = Promise.resolve<T>(create());
        creations.set(name, { at: now, digest, created });
        const forget = () => creations.delete(name);
        created.then((value) => isCreated(value) || forget(), forget);
        return created;
      }
      if (known.digest !== digest) {
        const message = `The idempotency key '${shorten(key)}' was used with another body. Give each new request a new key.`;
        throw new ServiceError("idempotency_key_reused", message, header);
      }
      // The same path and body were created by the same code.
      return known.created as Promise<T>;
    },
  };
}
