import { backOff, finalStatuses } from "#contract";
import type { RemotePart } from "#main/base";
import type { Submission } from "../adapters/batch-adapter.ts";
import { ConnectionError, isMissing, isRedirect } from "../adapters/connection-error.ts";
import type { RemoteBatch } from "../adapters/read-batch.ts";
import { longestDelay, type PartRun } from "./part-run.ts";

/** The longest wait between two reads of the list, in milliseconds: lists lag by tens of seconds. */
const longestLookDelay = 60_000;
/** After so many milliseconds without a list that can be read, the user is asked. */
const longestUnread = 24 * 60 * 60_000;
/** The tolerated difference between the service's clock and ours, in milliseconds. */
const clockSlack = 2 * 60_000;

/** What was sent of a part. */
export interface SentPart {
  readonly submission: Submission;
  /** The ids under which its lines were sent. */
  readonly remoteIds: ReadonlySet<string>;
}

interface Found {
  /** By our token, the file, or all our ids. */
  readonly sure: readonly RemoteBatch[];
  /** By their size, with their time or ids. */
  readonly possible: readonly RemoteBatch[];
}

/**
 * Finds out whether a create that got no answer made a batch. Returns the part with its batch; without `sentAt` if the user
 * decides to send it again; unchanged if the run is cancelled before that is known.
 */
export async function findCreated(part: RemotePart, sent: SentPart, run: PartRun): Promise<RemotePart> {
  const { machine, firstDelay, lookingTime } = run;
  const isNotOurs = new Set<string>();
  let current = part;
  const begun = machine.monotonic();
  let since: number | null = null;
  for (let attempt = 0; ; attempt++) {
    const { found, problem, isLasting } = await searchList(current, sent, isNotOurs, run);
    const [batch, ...others] = found?.sure ?? [];
    if (batch !== undefined && others.length === 0) return take(current, batch.id, run);
    // A cancelled batch ends even when the service can't be reached any more.
    if (found !== null || run.isCancelled()) since ??= machine.monotonic();
    const elapsed = since === null ? 0 : machine.monotonic() - since;
    const isUnread = since === null && machine.monotonic() - begun >= longestUnread;
    const isUndecided = current.candidates !== null || elapsed >= lookingTime || isLasting || isUnread;
    if (!isUndecided) {
      run.wait(problem ?? "The answer to its creation was lost: the batch is looked for at the service.");
      const delay = backOff(attempt, { first: firstDelay, longest: longestLookDelay });
      await run.sleep(since === null ? delay : Math.min(delay, lookingTime - elapsed));
      continue;
    }
    if (run.isCancelled()) {
      run.setNotice("doubt", "The service may have a batch of these lines, which may still run. Look for it there.");
      return current;
    }
    if (found !== null || current.candidates === null) current = offer(current, found, run);
    run.wait(problem);
    const choice = await run.awaitChoice(current, longestDelay);
    if (choice?.kind === "use") return take(current, choice.batchId, run);
    if (choice?.kind === "send_again") return run.change(current, { sentAt: null, before: null, candidates: null });
  }
}

function take(part: RemotePart, batchId: string, run: PartRun): RemotePart {
  const taken = run.change(part, { batchId, before: null, candidates: null, movedAt: run.machine.wall() });
  run.wait(null);
  return taken;
}

function offer(part: RemotePart, found: Found | null, run: PartRun): RemotePart {
  const batches = [...(found?.sure ?? []), ...(found?.possible ?? [])];
  const candidates = batches.map(({ id, createdAt, counts }) => ({ id, createdAt, lines: counts?.total || null }));
  return run.change(part, { candidates });
}

interface Search {
  /** Null where the list could not be read. */
  readonly found: Found | null;
  /** Why it could not be read; null where it could, or where the service has no list. */
  readonly problem: string | null;
  /** Whether the next read would fail as well, so that the user is asked at once. */
  readonly isLasting: boolean;
}

const noProblem = { problem: null, isLasting: false };

/** The batches in the service's list that may be the part's. */
async function searchList(part: RemotePart, sent: SentPart, isNotOurs: Set<string>, run: PartRun): Promise<Search> {
  try {
    const listed = await Array.fromAsync(run.adapter.list(run.signal));
    const others = await run.job.others();
    const seen = new Set(part.before?.ids);
    const isFree = ({ id }: RemoteBatch) =>
      !seen.has(id) &&
      !isNotOurs.has(id) &&
      !others.batchIds.has(id) &&
      !run.parts.some(({ batchId }) => batchId === id);
    const known = Map.groupBy(listed.filter(isFree), (batch) => run.adapter.isOf(batch, sent.submission));
    const sure = known.get(true) ?? [];
    if (sure.length > 0) return { found: { sure, possible: [] }, ...noProblem };
    /** With our ids, made when ours was by the service's clock. */
    const byIds: RemoteBatch[] = [];
    const possible: RemoteBatch[] = [];
    const isTimely = (batch: RemoteBatch) => isInTime(batch, part, run.lookingTime);
    for (const batch of (known.get(null) ?? []).filter((one) => hasSize(one, sent))) {
      const hasOurs = finalStatuses.has(batch.status) ? await hasOurIds(batch, sent, run) : null;
      if (hasOurs === false) isNotOurs.add(batch.id);
      else if (hasOurs === true && isTimely(batch) && hasClock(batch, part)) byIds.push(batch);
      else if (hasOurs === true || isTimely(batch)) possible.push(batch);
    }
    // The same job has the same ids each day, and two prompts for the same rows have them, too: while both are unsure, ids identify
    // neither.
    const isSure = byIds.length === 1 && !others.isUnsure && !possible.some(isTimely);
    const found = isSure ? { sure: byIds, possible: [] } : { sure: [], possible: [...byIds, ...possible] };
    return { found, ...noProblem };
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    if (isMissing(error)) return { found: null, problem: null, isLasting: true };
    return { found: null, problem: `${error.message} ${error.nextStep}`, isLasting: isRedirect(error) };
  }
}

/** Whether a batch that nothing identifies has the right size. Some services count the lines only once they have been checked. */
function hasSize({ counts }: RemoteBatch, { remoteIds }: SentPart): boolean {
  return !counts?.total || counts.total === remoteIds.size;
}

/** Whether it is known by the service's clock when a batch was made. */
function hasClock({ createdAt }: RemoteBatch, { before }: RemotePart): boolean {
  return createdAt !== null && before !== null && before.clockOffset !== null;
}

/** Whether a batch was made when the part was sent: by our clock where the service's is not known; true without a time to go by. */
function isInTime({ createdAt }: RemoteBatch, { sentAt, before }: RemotePart, lookingTime: number): boolean {
  if (createdAt === null || sentAt === null) return true;
  const sent = sentAt + (before?.clockOffset ?? 0);
  return createdAt >= sent - clockSlack && createdAt <= sent + lookingTime + clockSlack;
}

/** Whether the results of a batch belong to exactly our lines; null where they can't be read. */
async function hasOurIds(batch: RemoteBatch, { remoteIds }: SentPart, run: PartRun): Promise<boolean | null> {
  const seen = new Set<string>();
  try {
    for await (const result of run.adapter.results(batch, run.signal)) {
      if ("unreadable" in result) continue;
      if (!remoteIds.has(result.remoteId)) return false;
      seen.add(result.remoteId);
    }
  } catch (error) {
    if (error instanceof ConnectionError) return null;
    throw error;
  }
  return seen.size === remoteIds.size || null;
}
