import { deletedDays, finalStatuses, formatBytes, formatCount } from "#contract";
import type { Logger, Machine } from "#main/base";
import { createQueue } from "#main/base";
import { listRetries } from "#main/results";
import { type BatchRecord, filesOf, type Store } from "#main/storage";
import { nameOf } from "./batch-name.ts";
import type { Batches } from "./batches-port.ts";
import { createClockDoubt } from "./clock-doubt.ts";
import { deletedLifetime, listDeletedBatches, sumBytes } from "./deleted-batches.ts";
import type { Files } from "./files/files.ts";
import { createOwnFileFinder } from "./remove-batch.ts";

/** How much is kept of batches that have ended, and of files that no batch uses; null: without limit. */
export interface KeepLimits {
  /** Since they were last changed, in milliseconds of the computer. */
  readonly age: number | null;
  /** Of all files, in bytes: the oldest go first. */
  readonly bytes: number | null;
}

/** Something that goes, or went, because of a limit. */
export interface Expendable {
  readonly kind: "batch" | "file";
  readonly id: string;
  readonly name: string;
  /** Whether its user deleted it before. */
  readonly isDeleted: boolean;
  /** Of the files that go with it. */
  readonly bytes: number;
  /** `deleted`: its user deleted it 30 days ago. */
  readonly limit: "age" | "size" | "deleted";
}

/** What may go, with when it was changed last; of a deleted batch, when it was deleted. */
interface Candidate extends Omit<Expendable, "limit"> {
  readonly changedAt: number;
}

export interface RemovedItem extends Expendable {
  /** When it was removed, in Unix milliseconds. */
  readonly at: number;
}

/** Removes what is older, or more, than is to be kept. Never what runs, and never what something else needs. */
export interface Retention {
  readonly limits: KeepLimits;
  /** Looks at once. */
  setLimits(limits: KeepLimits): Promise<void>;
  /** What would go with these limits now, the oldest first. */
  plan(limits: KeepLimits): readonly Expendable[];
  /**
   * Why nothing is removed: `damaged`: the folder has damage that its user has not confirmed. `clock`: the computer's clock is a
   * day ahead of what it was when Sheaf last worked, and may be wrong. Null otherwise.
   */
  readonly paused: "damaged" | "clock" | null;
  /** The computer's clock is right. Looks at once. */
  confirmClock(): Promise<void>;
  /** What was removed since the start, the last first; 100 at most. */
  readonly removed: readonly RemovedItem[];
  close(): Promise<void>;
}

const hour = 60 * 60_000;
/** No limit of size removes what is younger, in milliseconds: it may be on its way into a batch. */
const leastAge = hour;
const mostRemoved = 100;
const mostNamed = 10;

const pauses = {
  damaged: "The storage limits delete nothing yet: confirm the damage that Sheaf found",
  clock:
    "The storage limits delete nothing yet: the computer's clock is over a day ahead of the last change. If it is right, deleting begins after Sheaf has run for 24 hours",
} as const;

interface RetentionDeps {
  readonly store: Store;
  readonly batches: Pick<Batches, "remove" | "purge">;
  readonly files: Pick<Files, "remove">;
  /** Whether a batch is being verified or graded. */
  readonly isBusy: (batchId: string) => boolean;
  readonly machine: Machine;
  readonly logger: Logger;
}

/** Nothing is removed before limits are set. */
export function startRetention({ store, batches, files, isBusy, machine, logger }: RetentionDeps): Retention {
  const inTurn = createQueue();
  let limits: KeepLimits = { age: null, bytes: null };
  let removed: readonly RemovedItem[] = [];
  const clock = createClockDoubt(store, machine);
  const closing = new AbortController();
  /** What the log has of it. */
  let reportedPause: Retention["paused"] = null;

  function findPause(): Retention["paused"] {
    if (store.isDamaged.get()) return "damaged";
    return clock.isDoubtful() ? "clock" : null;
  }

  function listDeleted(): Candidate[] {
    const oldestFirst = listDeletedBatches(store).reverse();
    return oldestFirst.map(({ batch: { id }, name, deletedAt, bytes }) => {
      return { kind: "batch", id, name, isDeleted: true, bytes, changedAt: deletedAt };
    });
  }

  /** Everything else that may go, what was changed longest ago first. */
  function listOthers(): Candidate[] {
    const all = store.batches.list();
    const used = new Set(all.flatMap(filesOf));
    const unused = store.files.list().filter(({ id }) => !used.has(id));
    const findOwnFiles = createOwnFileFinder(store);
    const groups = groupRetries(all);
    /** By the first version of a prompt, with which the others are compared: it stays as long as they do. */
    const versions = Map.groupBy(groups, ([one]) => (one?.link?.kind === "version" ? one.link.root : null));
    return [
      ...groups.flatMap((group): Candidate[] => {
        const [root] = group;
        if (root === undefined) return [];
        const needing = [group, ...(versions.get(root.id) ?? [])].flat();
        // Results that a service still keeps for them may be paid: they are fetched until then.
        const isAwaited = ({ remote }: BatchRecord) =>
          remote?.some(({ awaited, isFetched }) => isFetched && awaited !== null && machine.wall() < awaited.until) ??
          false;
        if (needing.some((one) => !finalStatuses.has(one.status) || isBusy(one.id) || isAwaited(one))) return [];
        const bytes = sumBytes(store.all, findOwnFiles(group));
        const changedAt = Math.max(...needing.map(({ id }) => store.changedAt(id)));
        return [{ kind: "batch", id: root.id, name: nameOf(root, store), isDeleted: false, bytes, changedAt }];
      }),
      ...unused.map(({ id, filename, bytes }): Candidate => {
        return { kind: "file", id, name: filename, isDeleted: false, bytes, changedAt: store.changedAt(id) };
      }),
    ].sort((one, other) => one.changedAt - other.changedAt);
  }

  /** Deleted batches count as stored, and go first. */
  function plan({ age, bytes: most }: KeepLimits): Expendable[] {
    const now = machine.wall();
    let left = store.all.files.list().reduce((sum, { bytes }) => sum + bytes, 0);
    function findLimit({ isDeleted, changedAt }: Candidate): Expendable["limit"] | null {
      const unchanged = now - changedAt;
      if (isDeleted && unchanged >= deletedLifetime) return "deleted";
      if (age !== null && unchanged >= age) return "age";
      return most !== null && left > most && (isDeleted || unchanged > leastAge) ? "size" : null;
    }
    const others = age === null && most === null ? [] : listOthers();
    return [...listDeleted(), ...others].flatMap((candidate) => {
      const limit = findLimit(candidate);
      if (limit === null) return [];
      const { changedAt: _, ...item } = candidate;
      left -= item.bytes;
      return { ...item, limit };
    });
  }

  async function removeAll(): Promise<void> {
    if (closing.signal.aborted) return;
    clock.store();
    const planned = plan(limits);
    if (limits.age === null && limits.bytes === null && planned.length === 0) return;
    const pause = findPause();
    if (pause !== null && pause !== reportedPause) logger.warn(pauses[pause]);
    reportedPause = pause;
    if (pause !== null) return;
    const gone: RemovedItem[] = [];
    for (const item of planned) {
      // A verification may have begun while others were removed.
      if ([item, ...listRetries(store, item.id)].some(({ id }) => isBusy(id))) continue;
      try {
        await (item.isDeleted ? batches.purge : item.kind === "batch" ? batches.remove : files.remove)(item.id);
        gone.push({ ...item, at: machine.wall() });
      } catch (error) {
        logger.error("What is not to be kept can't be removed", { id: item.id, error: String(error) });
      }
      if (closing.signal.aborted || store.disk.failure !== null) break;
    }
    if (gone.length > 0) logger.warn(summarize(gone));
    removed = [...gone.toReversed(), ...removed].slice(0, mostRemoved);
  }

  const look = () =>
    inTurn(removeAll).catch((error: unknown) => {
      logger.error("What is not to be kept can't be looked for", { error: String(error) });
    });

  const stopLooking = machine.every(hour, look, { unref: true });
  void look();

  return {
    get limits() {
      return limits;
    },
    async setLimits(next) {
      limits = next;
      await look();
    },
    plan,
    get paused() {
      return findPause();
    },
    async confirmClock() {
      clock.trust();
      await look();
    },
    get removed() {
      return removed;
    },
    async close() {
      closing.abort();
      stopLooking();
      // A session may be shorter than the time between two looks.
      await inTurn(async () => clock.store()).catch(() => {});
    },
  };
}

/** Each batch with its retries, with which it is read as one. A retry whose first batch is gone is alone. */
function groupRetries(batches: readonly BatchRecord[]): BatchRecord[][] {
  const ids = new Set(batches.map(({ id }) => id));
  const rootOf = ({ id, link }: BatchRecord) => (link?.kind === "retry" && ids.has(link.root) ? link.root : id);
  const groups = Map.groupBy(batches, rootOf);
  return Array.from(groups, ([root, group]) => group.toSorted((one) => (one.id === root ? -1 : 1)));
}

function summarize(removed: readonly RemovedItem[]): string {
  const count = (kind: RemovedItem["kind"]) => removed.filter((item) => item.kind === kind).length;
  const bytes = removed.reduce((sum, item) => sum + item.bytes, 0);
  const what = [
    count("batch") > 0 && formatCount(count("batch"), "batch", "batches"),
    count("file") > 0 && formatCount(count("file"), "file"),
  ];
  const names = removed.slice(0, mostNamed).map(({ id }) => id);
  const more = removed.length > mostNamed ? ` and ${removed.length - mostNamed} more` : "";
  const why = removed.every(({ limit }) => limit === "deleted")
    ? `deleted ${deletedDays} days ago`
    : "to keep the storage limits";
  return `Removed ${what.filter(Boolean).join(" and ")} (${formatBytes(bytes)}), ${why}: ${names.join(", ")}${more}.`;
}
