import { backOff } from "#contract";

/** Between two calls at a server that answers none, in milliseconds. */
const serverWaits = { first: 2_000, longest: 5 * 60_000 };

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

/** What the failure of a call may tell of its server. */
export type FailureKind = "server" | "limit" | "refusal" | "connection";

/** A time in which it isn't known whether the server answers anybody. */
interface Doubt {
  readonly kind: FailureKind;
  /** Calls that had been started at its beginning. */
  readonly since: number;
  /** Whether it isn't one call alone that has met it. */
  readonly isConfirmed: boolean;
}

/** What the calls to a server have shown of it. */
export interface ServerHealth {
  readonly answers: number;
  readonly started: number;
  readonly inFlight: number;
  /** Of those in flight, the ones that test it. */
  readonly probes: number;
  /** The newest call that was answered. */
  readonly newestAnswered: number;
  readonly doubt: Doubt | null;
  /** No call may start before that time, in milliseconds of the machine. */
  readonly pausedUntil: number;
  readonly pauses: number;
  /** Calls that may be open since a rate limit was met. */
  readonly ceiling: number;
}

export type HealthEvent =
  | { readonly type: "started" }
  /** Each call ends once, before what else is known of its end. */
  | { readonly type: "ended" | "answered" | "settled" | "fails_alone"; readonly call: StartedCall }
  | {
      readonly type: "doubted";
      readonly call: StartedCall;
      readonly kind: FailureKind;
      /** How long the server asks to wait, in milliseconds; 0 where it names no time. */
      readonly retryAfter: number;
    };

export const unknownHealth: ServerHealth = {
  answers: 0,
  started: 0,
  inFlight: 0,
  probes: 0,
  newestAnswered: 0,
  doubt: null,
  pausedUntil: Number.NEGATIVE_INFINITY,
  pauses: 0,
  ceiling: Number.POSITIVE_INFINITY,
};

/** The health after an event at `now`, in milliseconds of the machine. */
export function reduceHealth(health: ServerHealth, event: HealthEvent, now: number): ServerHealth {
  const { doubt, started, inFlight, probes } = health;
  switch (event.type) {
    case "started":
      return { ...health, started: started + 1, inFlight: inFlight + 1, probes: probes + (doubt === null ? 0 : 1) };
    case "ended":
      return { ...health, inFlight: inFlight - 1, probes: probes - (event.call.isProbe ? 1 : 0) };
    case "answered":
      return noteAnswer(health, event.call);
    case "settled":
      return doubt !== null && event.call.at > doubt.since ? endDoubt(health) : health;
    case "fails_alone": {
      // Others that wait as long are tried soon: they may be at fault, too.
      const alone = { ...health, pauses: 0 };
      return doubt !== null && event.call.isProbe ? pause(alone, 0, now) : alone;
    }
    case "doubted":
      return beginDoubt(health, event, now);
  }
}

function noteAnswer(before: ServerHealth, call: StartedCall): ServerHealth {
  const newestAnswered = Math.max(before.newestAnswered, call.at);
  const health = { ...before, answers: before.answers + 1, newestAnswered };
  const { doubt, ceiling } = health;
  if (doubt === null) return { ...health, ceiling: ceiling + 1 };
  if (call.at > doubt.since || doubt.kind === "server") return endDoubt(health);
  // Others pass: what the server asks of one line may hold for that line alone.
  return doubt.isConfirmed ? health : { ...health, pausedUntil: Number.NEGATIVE_INFINITY };
}

/** Others may be answered all the same: that is found out with one call at a time. */
function beginDoubt(
  before: ServerHealth,
  { call, kind, retryAfter }: Extract<HealthEvent, { readonly type: "doubted" }>,
  now: number,
): ServerHealth {
  const { doubt, started, inFlight, ceiling, pausedUntil } = before;
  const isOfSameWave = doubt?.isConfirmed === true && !call.isProbe;
  const isConfirmed = doubt !== null || kind === "connection";
  const isLimited = kind === "limit" && doubt === null;
  const health = {
    ...before,
    ceiling: isLimited ? Math.max(1, Math.floor(Math.min(ceiling, inFlight + 1) / 2)) : ceiling,
    doubt: isOfSameWave ? doubt : { kind, since: started, isConfirmed },
  };
  if (isConfirmed && !isOfSameWave) return pause(health, retryAfter, now);
  return retryAfter > 0 ? { ...health, pausedUntil: Math.max(pausedUntil, now + retryAfter) } : health;
}

function endDoubt(health: ServerHealth): ServerHealth {
  return { ...health, doubt: null, pauses: 0, pausedUntil: Number.NEGATIVE_INFINITY };
}

function pause(health: ServerHealth, retryAfter: number, now: number): ServerHealth {
  const until = now + Math.max(backOff(health.pauses, serverWaits), retryAfter);
  return { ...health, pausedUntil: Math.max(health.pausedUntil, until), pauses: health.pauses + 1 };
}
