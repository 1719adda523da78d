import { ServiceError } from "#main/base";
import type { Archive } from "#main/storage";
import type { Batches } from "./batches.ts";

/** The batches of a service and those of an archive in one list. The latter can be looked at, not changed. */
export function withArchive(own: Batches, { joined, batches: archived, subscribe }: Archive): Batches {
  const isReadOnly = (id: string) => archived.get(id) !== undefined;

  function requireOwn(id: string): void {
    if (!isReadOnly(id)) return;
    const message = `This is a job of the command line: sheaf status ${id} and sheaf retry ${id} work on it.`;
    throw new ServiceError("batch_read_only", message);
  }

  return {
    ...own,
    isReadOnly,
    get: (id) => joined.batches.get(id),
    list({ limit, after, trials = false }) {
      const all = joined.batches.list().filter(({ link }) => trials || link?.kind !== "trial");
      const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
      return { batches: all.slice(start, start + limit), hasMore: start + limit < all.length };
    },
    async cancel(id) {
      requireOwn(id);
      return own.cancel(id);
    },
    async retry(request) {
      requireOwn(request.id);
      return own.retry(request);
    },
    setDeadline(id, deadline) {
      requireOwn(id);
      return own.setDeadline(id, deadline);
    },
    async settleCreate(id, choice) {
      requireOwn(id);
      return own.settleCreate(id, choice);
    },
    async resume(id) {
      requireOwn(id);
      return own.resume(id);
    },
    rename(id, name) {
      requireOwn(id);
      return own.rename(id, name);
    },
    async remove(id, options) {
      requireOwn(id);
      await own.remove(id, options);
    },
    async discard(id) {
      requireOwn(id);
      await own.discard(id);
    },
    progress: (id) => (isReadOnly(id) ? { rate: null, timeLeft: null, throughput: [] } : own.progress(id)),
    subscribe(listener) {
      const stops = [own.subscribe(listener), subscribe(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
