import { type BatchView, type ConnectionView, finalStatuses, type Preset } from "#contract";

/** Something that does not continue by itself. `key` names it for good: what changes about it is another. */
export type Attention = { readonly key: string } & (
  | { readonly kind: "failed_lines" | "never_ran" | "awaited"; readonly batch: BatchView; readonly lines: number }
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

const day = 24 * 60 * 60_000;

/**
 * What needs the user: connections that hold their batches up, then batches, the newest first. Of a batch and its retries
 * the last one counts: lines that are being asked again need no attention.
 */
export function findAttention(
  batches: readonly BatchView[],
  connections: readonly ConnectionView[],
  presets: readonly Preset[],
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
    ...findLast(batches).flatMap(examineBatch),
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

/** Of each batch with its retries the one that came last. `batches` are newest first. */
function findLast(batches: readonly BatchView[]): BatchView[] {
  const seen = new Set<string>();
  return batches.filter(({ id, link }) => {
    const root = link?.kind === "retry" ? link.root : id;
    return !seen.has(root) && seen.add(root);
  });
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
  const lines = counts.failed + counts.damaged;
  if (lines > 0) {
    const key = `failed_lines ${id}${counts.damaged > 0 ? " damaged" : ""}`;
    found.push({ key, kind: "failed_lines", batch, lines });
  }
  if (counts.awaited > 0) {
    found.push({ key: `awaited ${id}`, kind: "awaited", batch, lines: counts.awaited });
  }
  if (status !== "failed" && counts.neverRan > 0) {
    found.push({ key: `never_ran ${id}`, kind: "never_ran", batch, lines: counts.neverRan });
  }
  return found;
}
