import { backOff } from "#contract";
import type { Machine } from "#main/base";
import { type FailureKind, type HealthEvent, reduceHealth, type StartedCall, unknownHealth } from "./server-health.ts";

/** The most times that a line is sent, when others of its batch were answered. */
export const mostTries = 12;
/** The longest that a line is tried, in milliseconds, and after how many tries that counts. */
const longestTrying = { time: 30 * 60_000, tries: 3 };
/** A line fails that is refused so often by a rate limit which lets others pass. */
const mostLimited = 5;
/** Between two tries of a line, in milliseconds. */
const lineWaits = { first: 2_000, longest: 60_000 };

/** Statuses that a request alone seldom causes: they are its own only where others are answered meanwhile. */
const ofAccount: ReadonlySet<number> = new Set([401, 402, 407]);
/** Of those below 500, the ones that pass. */
const passing: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** A line, and how often it was sent in vain. */
export type LineTries = readonly [line: number, tries: number];

/** Of so many lines the tries are remembered over restarts. */
const mostRemembered = 200;

/** Why a call got no answer. */
export interface CallFailure {
  readonly statusCode: number;
  /** False where only the connection can be the cause. */
  readonly mayBeItsOwn: boolean;
  /** How long the server asks to wait, in milliseconds; 0 where it names no time. */
  readonly retryAfter: number;
}

/** Lines of a batch that were sent in vain, and how fast more are sent meanwhile. */
export interface LineRetries {
  /** Lines that are to be sent again. */
  readonly size: number;
  /** Whether the server seems to reject every call: one call at a time is sent until one is answered. */
  readonly isStopped: boolean;
  /** Whether a call may start now. */
  mayStart(): boolean;
  /** The line that is to be sent again now; null for none. `hasFresh` where there are lines that were never sent. */
  due(hasFresh: boolean): number | null;
  start(line: number): StartedCall;
  /** The call was answered. */
  succeed(call: StartedCall): void;
  /** The server answered with an error that is the line's own. */
  settle(call: StartedCall): void;
  /** Decides whether the line fails now, or is sent again later. */
  fail(call: StartedCall, failure: CallFailure): "fails" | "again";
  /** The lines that were sent in vain more than once and may be at fault themselves, with how often; some of them where they are many. */
  listTries(): readonly LineTries[];
  /** Its line is not sent again, and the connection is the cause. */
  stop(call: StartedCall): void;
  /** Milliseconds until a call may start; null where that is now, or when another one ends. */
  nextWait(hasFresh: boolean): number | null;
}

/** What is known of a line that failed. */
interface Failing {
  readonly line: number;
  readonly answersBefore: number;
  tries: number;
  /** When it failed first. */
  since: number;
  due: number;
  /** Calls that had been started when it failed last. */
  startedThen: number;
  /** How often a rate limit refused it, and how many lines one had refused at the second time. */
  limited: number;
  limitedThen: number;
}

/**
 * Distinguishes lines that fail from a server that fails, by how other lines fare. While that isn't known, one call at a time goes out
 * until one is answered. A line that fails while others are answered delays none of them.
 */
export function createLineRetries(
  machine: Pick<Machine, "monotonic">,
  hadAnswer: boolean,
  before: readonly LineTries[] = [],
): LineRetries {
  /** Before the first answer the connection was at fault. */
  const triesBefore = new Map(hadAnswer ? before : []);
  /** Those that wait, the one that is due first in front. */
  const waiting: Failing[] = [];
  /** Those of them that may be at fault themselves, also while they are sent. */
  const known = new Map<number, Failing>();
  /** Lines that a rate limit has refused. */
  let limitedLines = 0;
  let health = unknownHealth;

  function note(event: HealthEvent): void {
    const { doubt } = health;
    health = reduceHealth(health, event, machine.monotonic());
    // What only the connection was the cause of is no time that a line was tried.
    if (doubt?.kind === "connection" && health.doubt === null) restartTimes();
  }

  function putBack(failing: Failing): void {
    const at = waiting.findIndex(({ due }) => due > failing.due);
    waiting.splice(at === -1 ? waiting.length : at, 0, failing);
  }

  function restartTimes(): void {
    for (const failing of known.values()) failing.since = machine.monotonic();
  }

  function forgetTries(): void {
    restartTimes();
    for (const failing of known.values()) failing.tries = 0;
  }

  function forget(line: number): void {
    known.delete(line);
    triesBefore.delete(line);
  }

  function countTry(failing: Failing, statusCode: number): void {
    failing.tries += 1;
    failing.startedThen = health.started;
    if (statusCode !== 429) return;
    failing.limited += 1;
    if (failing.limited === 1) limitedLines += 1;
    if (failing.limited === 2) failing.limitedThen = limitedLines;
  }

  function isItsOwn(failing: Failing, statusCode: number, othersPass: boolean): boolean {
    const { answers } = health;
    if (!hadAnswer && answers === 0) return false;
    const { tries, limited, since, limitedThen, answersBefore } = failing;
    const othersAnswered = answers > answersBefore;
    if (kindOf(statusCode) === "refusal") {
      if (tries >= 2 && othersPass) return true;
      if (tries >= 3 && othersAnswered && known.size === 1) return true;
      if (ofAccount.has(statusCode)) return false;
    }
    if (limited >= mostLimited && othersAnswered && limitedThen === limitedLines) return true;
    const isOld = machine.monotonic() - since >= longestTrying.time && tries >= longestTrying.tries;
    return tries >= mostTries || isOld;
  }

  return {
    get size() {
      return waiting.length;
    },
    get isStopped() {
      return health.doubt?.isConfirmed ?? false;
    },
    mayStart() {
      const { pausedUntil, doubt, inFlight, ceiling, probes } = health;
      if (machine.monotonic() < pausedUntil) return false;
      return doubt === null ? inFlight < ceiling : probes === 0;
    },
    due(hasFresh) {
      const [first] = waiting;
      if (first === undefined || first.due > machine.monotonic()) return null;
      // A new line tests the server, so that the probe uses up no try of a failed line.
      return health.doubt !== null && hasFresh ? null : first.line;
    },
    start(line) {
      const at = waiting.findIndex((failing) => failing.line === line);
      if (at !== -1) waiting.splice(at, 1);
      note({ type: "started" });
      return { line, at: health.started, answersBefore: health.answers, isProbe: health.doubt !== null };
    },
    succeed(call) {
      note({ type: "ended", call });
      forget(call.line);
      // Before its first answer the connection was at fault.
      if (!hadAnswer && health.answers === 0) forgetTries();
      note({ type: "answered", call });
    },
    settle(call) {
      note({ type: "ended", call });
      forget(call.line);
      note({ type: "settled", call });
    },
    fail(call, { statusCode, mayBeItsOwn, retryAfter }) {
      note({ type: "ended", call });
      const { line, at, answersBefore } = call;
      const now = machine.monotonic();
      const failing = known.get(line) ?? {
        ...{ line, answersBefore, tries: triesBefore.get(line) ?? 0, since: now, due: now },
        ...{ startedThen: at, limited: 0, limitedThen: 0 },
      };
      if (!mayBeItsOwn) {
        note({ type: "doubted", call, kind: "connection", retryAfter });
        failing.due = now;
        putBack(failing);
        return "again";
      }
      known.set(line, failing);
      const othersPass = health.newestAnswered > failing.startedThen;
      countTry(failing, statusCode);
      if (isItsOwn(failing, statusCode, othersPass)) {
        forget(line);
        note({ type: "fails_alone", call });
        return "fails";
      }
      failing.due = now + Math.max(backOff(failing.tries - 1, lineWaits), retryAfter);
      putBack(failing);
      const isSuspect = failing.tries > 1 && othersPass;
      if (!isSuspect) note({ type: "doubted", call, kind: kindOf(statusCode), retryAfter });
      return "again";
    },
    listTries() {
      const tries = new Map(triesBefore);
      for (const { line, tries: count } of known.values()) if (count > 1) tries.set(line, count);
      return [...tries].sort((a, b) => b[1] - a[1]).slice(0, mostRemembered);
    },
    stop(call) {
      note({ type: "ended", call });
      note({ type: "doubted", call, kind: "connection", retryAfter: 0 });
    },
    nextWait(hasFresh) {
      const [first] = waiting;
      if (first === undefined && !hasFresh) return null;
      const ready = hasFresh ? health.pausedUntil : Math.max(health.pausedUntil, first?.due ?? 0);
      const wait = ready - machine.monotonic();
      return wait > 0 ? wait : null;
    },
  };
}

function kindOf(statusCode: number): FailureKind {
  if (statusCode === 429) return "limit";
  return statusCode >= 400 && statusCode < 500 && !passing.has(statusCode) ? "refusal" : "server";
}
