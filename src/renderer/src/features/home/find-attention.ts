import {
  type BatchDetail,
  type BatchView,
  type ConnectionView,
  countLasting,
  type ErrorCounts,
  finalStatuses,
  type Preset,
} from "#contract";

/** Something that does not continue by itself. `key` names it for good: what changes about it is another. */
export type Attention = { readonly key: string } & (
  | FailedLines
  | { readonly kind: "never_ran" | "awaited"; readonly batch: BatchView; readonly lines: number }
  | { readonly kind: "faulty_file" | "failed_batch" | "in_doubt"; readonly batch: BatchView }
  | { readonly kind: "notice"; readonly batch: BatchView; readonly notice: string }
  | { readonly kind: "no_key"; readonly connection: ConnectionView }
  | {
      readonly kind: "waiting";
      readonly connection: NonNullable<BatchView["connection"]>;
      readonly reason: string;
      readonly batches: readonly BatchView[];
      /** Until when the service keeps the results that are there; null where nothing is, or it is not known. */
      readonly fetchBefore: number | null;
    }
);

/** Lines of a batch that failed or are damaged, and that no retry has answered. */
export interface FailedLines {
  readonly key: string;
  readonly kind: "failed_lines";
  /** The batch that was asked first, its counts being of these lines. */
  readonly batch: BatchView;
  /** Whether its lines are read with those of its retries. */
  readonly isMerged: boolean;
  /** How many of them a retry may help, and the errors of the failed ones: none until that is known. */
  readonly passing: number;
  readonly errors: ErrorCounts;
}

type Left = BatchDetail["left"];

const day = 24 * 60 * 60_000;

/**
 * What needs the user: connections that hold their batches up, then batches, the newest first. Of a batch and its retries
 * the last one counts: lines that are being asked again need no attention. Failed lines are those that are `lefts`, by the first batch,
 * as far as that is known.
 */
export function findAttention(
  batches: readonly BatchView[],
  connections: readonly ConnectionView[],
  presets: readonly Preset[],
  lefts: ReadonlyMap<string, Left> = new Map(),
): Attention[] {
  const presetOf = (id: string) => {
    const name = connections.find((connection) => connection.id === id)?.preset;
    return presets.find((preset) => preset.id === name);
  };
  const waiting = groupWaiting(batches, (id) => presetOf(id)?.resultsKeptDays ?? null);
  const heldUp = new Set(waiting.flatMap((one) => (one.kind === "waiting" ? [one.connection.id] : [])));
  const keyless = connections.filter(
    ({ id, hasKey, keyVariable }) =>
      !hasKey && !heldUp.has(id) && (keyVariable !== null || presetOf(id)?.needsKey === true),
  );
  return [
    ...waiting,
    ...keyless.map((connection): Attention => ({ key: `no_key ${connection.id}`, kind: "no_key", connection })),
    ...groupRetries(batches).flatMap((group) => [...examineFailures(group, lefts), ...examineBatch(group.last)]),
  ];
}

/** The batches that wait for the same thing, as one. */
function groupWaiting(batches: readonly BatchView[], daysKept: (connectionId: string) => number | null): Attention[] {
  const waiting = batches.filter(
    (batch) =>
      batch.waiting !== null &&
      batch.inDoubt === null &&
      batch.endWaitsFor === null &&
      !finalStatuses.has(batch.status),
  );
  const groups = Map.groupBy(waiting, ({ connection, waiting }) => `${connection?.id}\n${waiting}`);
  return [...groups.values()].flatMap((group): Attention[] => {
    const [{ connection = null, waiting: reason = null } = {}] = group;
    if (connection === null || reason === null) return [];
    const days = daysKept(connection.id);
    // What was sent there may have ended while no one could ask.
    const sent = group.filter(({ remote }) => remote !== null && remote.rawStatus !== null);
    const oldest = Math.min(...sent.map(({ times }) => times.inProgress ?? times.created));
    const fetchBefore = days === null || sent.length === 0 ? null : oldest + days * day;
    return [
      { key: `waiting ${connection.id} ${reason}`, kind: "waiting", connection, reason, batches: group, fetchBefore },
    ];
  });
}

/** A batch with its retries. */
interface RetryGroup {
  /** The one that was asked first, of those that are there. */
  readonly first: BatchView;
  readonly last: BatchView;
}

/** Batches with their retries, by the last of each. `batches` are newest first. */
function groupRetries(batches: readonly BatchView[]): RetryGroup[] {
  const groups = Map.groupBy(batches, ({ id, link }) => (link?.kind === "retry" ? link.root : id));
  return [...groups.values()].map((group) => ({ first: group.at(-1) as BatchView, last: group[0] as BatchView }));
}

/** Batches that have ended with failed lines, with the key of these: whether retries have answered them is to be looked up. */
export function findFailed(batches: readonly BatchView[]): { readonly key: string; readonly batch: BatchView }[] {
  return groupRetries(batches).flatMap(({ first, last }) => {
    const { failed, damaged } = first.counts;
    return failed + damaged > 0 && finalStatuses.has(first.status) ? [{ key: keyOfFailed(last), batch: first }] : [];
  });
}

const keyOfFailed = ({ id, counts }: BatchView) => `failed_lines ${id}${counts.damaged > 0 ? " damaged" : ""}`;

function examineFailures({ first, last }: RetryGroup, lefts: ReadonlyMap<string, Left>): FailedLines[] {
  const left = lefts.get(first.id);
  if (left === undefined && !finalStatuses.has(last.status)) return [];
  const { failed, damaged } = left ?? last.counts;
  if (failed + damaged === 0) return [];
  const errors = left?.errors ?? {};
  const batch = left === undefined ? last : { ...first, counts: { ...first.counts, failed, damaged } };
  const passing = left === undefined ? 0 : failed + damaged - countLasting(errors);
  const isMerged = first !== last && batch.id === first.id;
  return [{ key: keyOfFailed(last), kind: "failed_lines", batch, isMerged, passing, errors }];
}

function examineBatch(batch: BatchView): Attention[] {
  const { id, status, counts, problemCount, notice, endWaitsFor, waiting } = batch;
  const found: Attention[] = [];
  if (batch.inDoubt !== null) found.push({ key: `in_doubt ${id}`, kind: "in_doubt", batch });
  if (endWaitsFor === "state" && waiting !== null)
    found.push({ key: `end ${id}`, kind: "notice", batch, notice: waiting });
  if (notice !== null) found.push({ key: `notice ${id} ${notice}`, kind: "notice", batch, notice });
  if (!finalStatuses.has(status)) return found;
  if (status === "failed") {
    const kind = problemCount > 0 ? "faulty_file" : "failed_batch";
    found.push({ key: `${kind} ${id}`, kind, batch });
  }
  if (counts.awaited > 0) {
    found.push({ key: `awaited ${id}`, kind: "awaited", batch, lines: counts.awaited });
  }
  if (status !== "failed" && counts.neverRan > 0) {
    found.push({ key: `never_ran ${id}`, kind: "never_ran", batch, lines: counts.neverRan });
  }
  return found;
}
