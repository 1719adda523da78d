import { backOff } from "#contract";
import type { Machine } from "#main/base";

/** The most times that a line is sent, when others of its batch were answered. */
export const mostTries = 12;
/** The longest that a line is tried, in milliseconds, and after how many tries that counts. */
const longestTrying = { time: 30 * 60_000, tries: 3 };
/** A line fails that is refused so often by a rate limit which lets others pass. */
const mostLimited = 5;
/** Between two tries of a line, and between two calls at a server that answers none, in milliseconds. */
const lineWaits = { first: 2_000, longest: 60_000 };
const serverWaits = { first: 2_000, longest: 5 * 60_000 };

/** Statuses that a request alone seldom causes: they are its own only where others are answered meanwhile. */
const ofAccount: ReadonlySet<number> = new Set([401, 402, 407]);
/** Of those below 500, the ones that pass. */
const passing: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** A call that was started. */
export interface StartedCall {
  readonly line: number;
  /** Which of all calls it is, from 1. */
  readonly at: number;
  /** Answers that there were before it. */
  readonly answersBefore: number;
  /** Whether it tests a server that may reject every call. */
  readonly isProbe: boolean;
}

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

type Kind = "server" | "limit" | "refusal" | "connection";

/** A time in which it isn't known whether the server answers anybody. */
interface Doubt {
  readonly kind: Kind;
  /** Calls that had been started at its beginning. */
  readonly since: number;
  /** Whether it isn't one call alone that has met it. */
  readonly isConfirmed: boolean;
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
  let answers = 0;
  let started = 0;
  let inFlight = 0;
  let probes = 0;
  /** The newest call that was answered. */
  let newestAnswered = 0;
  /** Lines that a rate limit has refused. */
  let limitedLines = 0;
  let doubt: Doubt | null = null;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let pauses = 0;
  /** Calls that may be open since a rate limit was met. */
  let ceiling = Number.POSITIVE_INFINITY;

  function putBack(failing: Failing): void {
    const at = waiting.findIndex(({ due }) => due > failing.due);
    waiting.splice(at === -1 ? waiting.length : at, 0, failing);
  }

  function pause(retryAfter: number): void {
    pausedUntil = Math.max(pausedUntil, machine.monotonic() + Math.max(backOff(pauses, serverWaits), retryAfter));
    pauses += 1;
  }

  /** Others may be answered all the same: that is found out with one call at a time. */
  function beginDoubt(call: StartedCall, kind: Kind, retryAfter: number): void {
    const now = machine.monotonic();
    const isOfSameWave = doubt?.isConfirmed === true && !call.isProbe;
    const isConfirmed = doubt !== null || kind === "connection";
    if (kind === "limit" && doubt === null) ceiling = Math.max(1, Math.floor(Math.min(ceiling, inFlight + 1) / 2));
    if (!isOfSameWave) doubt = { kind, since: started, isConfirmed };
    if (isConfirmed && !isOfSameWave) pause(retryAfter);
    else if (retryAfter > 0) pausedUntil = Math.max(pausedUntil, now + retryAfter);
  }

  function endDoubt(): void {
    // What only the connection was the cause of is no time that a line was tried.
    if (doubt?.kind === "connection") restartTimes();
    doubt = null;
    pauses = 0;
    pausedUntil = Number.NEGATIVE_INFINITY;
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

  function end(call: StartedCall): void {
    inFlight -= 1;
    if (call.isProbe) probes -= 1;
  }

  function isItsOwn(failing: Failing, statusCode: number, othersPass: boolean): boolean {
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
      return doubt?.isConfirmed ?? false;
    },
    mayStart() {
      if (machine.monotonic() < pausedUntil) return false;
      return doubt === null ? inFlight < ceiling : probes === 0;
    },
    due(hasFresh) {
      const [first] = waiting;
      if (first === undefined || first.due > machine.monotonic()) return null;
      // A new line tests the server, so that the probe uses up no try of a failed line.
      return doubt !== null && hasFresh ? null : first.line;
    },
    start(line) {
      const at = waiting.findIndex((failing) => failing.line === line);
      if (at !== -1) waiting.splice(at, 1);
      started += 1;
      inFlight += 1;
      const isProbe = doubt !== null;
      if (isProbe) probes += 1;
      return { line, at: started, answersBefore: answers, isProbe };
    },
    succeed(call) {
      end(call);
      forget(call.line);
      // Before its first answer the connection was at fault.
      if (!hadAnswer && answers === 0) forgetTries();
      answers += 1;
      newestAnswered = Math.max(newestAnswered, call.at);
      if (doubt === null) ceiling += 1;
      else if (call.at > doubt.since || doubt.kind === "server") endDoubt();
      // Others pass: what the server asks of one line may hold for that line alone.
      else if (!doubt.isConfirmed) pausedUntil = Number.NEGATIVE_INFINITY;
    },
    settle(call) {
      end(call);
      forget(call.line);
      if (doubt !== null && call.at > doubt.since) endDoubt();
    },
    fail(call, { statusCode, mayBeItsOwn, retryAfter }) {
      end(call);
      const { line, at, answersBefore } = call;
      const now = machine.monotonic();
      const failing = known.get(line) ?? {
        ...{ line, answersBefore, tries: triesBefore.get(line) ?? 0, since: now, due: now },
        ...{ startedThen: at, limited: 0, limitedThen: 0 },
      };
      if (!mayBeItsOwn) {
        beginDoubt(call, "connection", retryAfter);
        failing.due = now;
        putBack(failing);
        return "again";
      }
      known.set(line, failing);
      const othersPass = newestAnswered > failing.startedThen;
      failing.tries += 1;
      failing.startedThen = started;
      if (statusCode === 429) {
        failing.limited += 1;
        if (failing.limited === 1) limitedLines += 1;
        if (failing.limited === 2) failing.limitedThen = limitedLines;
      }
      if (isItsOwn(failing, statusCode, othersPass)) {
        forget(line);
        // Others that wait as long are tried soon: they may be at fault, too.
        pauses = 0;
        if (doubt !== null && call.isProbe) pause(0);
        return "fails";
      }
      failing.due = now + Math.max(backOff(failing.tries - 1, lineWaits), retryAfter);
      putBack(failing);
      const isSuspect = failing.tries > 1 && othersPass;
      if (!isSuspect) beginDoubt(call, kindOf(statusCode), retryAfter);
      return "again";
    },
    listTries() {
      const tries = new Map(triesBefore);
      for (const { line, tries: count } of known.values()) if (count > 1) tries.set(line, count);
      return [...tries].sort((a, b) => b[1] - a[1]).slice(0, mostRemembered);
    },
    stop(call) {
      end(call);
      beginDoubt(call, "connection", 0);
    },
    nextWait(hasFresh) {
      const [first] = waiting;
      if (first === undefined && !hasFresh) return null;
      const ready = hasFresh ? pausedUntil : Math.max(pausedUntil, first?.due ?? 0);
      const wait = ready - machine.monotonic();
      return wait > 0 ? wait : null;
    },
  };
}

function kindOf(statusCode: number): Kind {
  if (statusCode === 429) return "limit";
  return statusCode >= 400 && statusCode < 500 && !passing.has(statusCode) ? "refusal" : "server";
}
