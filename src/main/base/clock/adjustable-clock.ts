import type { Clock, Machine } from "../ports.ts";
import { createQueue } from "../queue.ts";
import { createSystemMachine, nextTurn, sleepWith, wallLookInterval } from "./machine.ts";
import { createTimerQueue } from "./timer-queue.ts";
import { createWorkRegister } from "./tracked-work.ts";

/** A clock that can go faster than the machine's, stand still, and be turned forward. */
export interface AdjustableClock extends Clock {
  /**
   * Turns it forward by `milliseconds`: a discrete-event simulation. What falls due on the way runs in order of time, each
   * at its own, and between two events the clock waits for the work that is registered with it. What waits for a network
   * takes the time that it takes. Fails with a ServiceError when the registered work does not move any more; what has
   * happened by then stays.
   */
  advance(milliseconds: number): Promise<void>;
  /** How many callbacks are still to come. */
  readonly pending: number;
}

export interface ClockOptions {
  /** 1 by default; 0 for a clock that stands still. */
  readonly speed?: number;
  /** Where it begins, in Unix milliseconds; at the machine's wall clock by default. */
  readonly start?: number;
  /** The computer's by default. */
  readonly machine?: Machine;
}

/** Times of a clock that is not turned have fractions, whose sums are not exact, in milliseconds. */
const rounding = 0.01;
/** A wall clock that differs by less is not taken as set forward, in milliseconds. */
const leastStep = 1_000;

export function createAdjustableClock(options: ClockOptions = {}): AdjustableClock {
  const { speed = 1, machine = createSystemMachine() } = options;
  const { start = machine.wall() } = options;
  const timers = createTimerQueue();
  const work = createWorkRegister(machine, onWorkChange);
  const inTurn = createQueue();
  const oneByOne = createQueue();
  /** Where its own time was at a moment of the machine's. */
  let anchor = { machine: machine.monotonic(), time: start };
  /** How far it is ahead of the wall clock, at speed 1. */
  let ahead = start - machine.wall();
  /** The time at which it is halted, with what it shows besides. */
  let held: { time: number; readonly shown: number } | null = null;
  let isTurning = false;
  let lastOffset = wallOffset();
  let cancelAlarm = () => {};

  /** Its own time, which no wall clock that is set forward or back has a part in. */
  function time(): number {
    return held?.time ?? anchor.time + (machine.monotonic() - anchor.machine) * speed;
  }

  function now(): number {
    if (held !== null) return Math.floor(held.time + held.shown + rounding);
    return speed === 1 ? machine.wall() + ahead : Math.floor(time());
  }

  function wallOffset(): number {
    return machine.wall() - machine.monotonic();
  }

  /** It is halted at that time until `release`. */
  function hold(at = time()): void {
    if (held === null) held = { time: at, shown: speed === 1 ? now() - at : 0 };
    else held.time = Math.max(held.time, at);
  }

  /** It continues from where it is. */
  function release(): void {
    if (held === null) return;
    ahead = now() - machine.wall();
    anchor = { machine: machine.monotonic(), time: held.time };
    held = null;
  }

  function onWorkChange(): void {
    if (speed <= 1 || isTurning) return;
    if (work.isStopping()) hold();
    // The promises that wait for the end of some work may begin the next.
    else if (held !== null) void nextTurn().then(resume);
  }

  function resume(): void {
    if (isTurning || work.isStopping()) return;
    release();
    plan();
  }

  /** Sets the alarm for the timer that is next. */
  function plan(): void {
    cancelAlarm();
    const next = timers.first();
    if (next === undefined || speed === 0 || held !== null || isTurning) return;
    const wait = Math.max(0, (next.at - time()) / speed);
    cancelAlarm = machine.after(speed === 1 ? Math.min(wait, wallLookInterval) : wait, wake);
  }

  function wake(): void {
    if (speed !== 1) {
      void inTurn(catchUp);
      return;
    }
    try {
      const end = time();
      for (let timer = timers.takeUntil(end); timer !== undefined; timer = timers.takeUntil(end)) timer.run();
      if (Math.abs(wallOffset() - lastOffset) < leastStep) return;
      lastOffset = wallOffset();
      const shown = now();
      for (let timer = timers.takeReached(shown); timer !== undefined; timer = timers.takeReached(shown)) timer.run();
    } finally {
      plan();
    }
  }

  /** On a fast clock, what is due happens at its own time, and time is halted while a batch is validated or closed. */
  async function catchUp(): Promise<void> {
    const end = time();
    try {
      for (let next = timers.first(); next !== undefined && next.at <= end; next = timers.first()) {
        if (work.isStopping()) return;
        held = { time: next.at, shown: 0 };
        runNext(end);
        await nextTurn();
      }
    } finally {
      if (!work.isStopping()) held = null;
      plan();
    }
  }

  /** Runs all that waits for the same time, but what waits for a moment alone: what follows from it may cancel the rest. */
  function runNext(end: number): void {
    const first = timers.takeUntil(end);
    if (first === undefined) return;
    first.run();
    if (first.moment !== null) return;
    for (let timer = timers.takeUntil(first.at); timer !== undefined; timer = timers.takeUntil(first.at)) timer.run();
  }

  function add(at: number, moment: number | null, run: () => void): () => void {
    const cancel = timers.add({ at, moment, run });
    if (timers.first()?.run === run) plan();
    return () => {
      cancel();
      if (timers.size === 0) cancelAlarm();
    };
  }

  async function turn(milliseconds: number): Promise<void> {
    cancelAlarm();
    isTurning = true;
    hold();
    const end = time() + milliseconds;
    const settle = () => work.settle(() => new Date(now()).toISOString());
    try {
      await settle();
      for (let next = timers.first(); next !== undefined && next.at <= end; next = timers.first()) {
        hold(next.at);
        runNext(end);
        await settle();
      }
      hold(end);
    } finally {
      isTurning = false;
      release();
      onWorkChange();
      plan();
    }
  }

  function after(delay: number, run: () => void): () => void {
    return add(time() + Math.max(0, delay), null, run);
  }

  return {
    speed,
    now,
    monotonic: time,
    after,
    at: (moment, run) => add(time() + Math.max(0, moment - now()), moment, run),
    sleep: (delay, signal) => sleepWith(after, delay, signal),
    track: (what, { stopsTime = false } = {}) => work.begin(what, stopsTime),
    async perform(what, task) {
      const tracked = work.begin(what, true);
      try {
        return await (speed === 0 ? oneByOne(() => task(tracked.progress)) : task(tracked.progress));
      } finally {
        tracked.end();
      }
    },
    whenSettled(run) {
      if (speed === 0) work.whenSettled(run);
      else run();
    },
    advance: (milliseconds) => inTurn(() => turn(milliseconds)),
    get pending() {
      return timers.size;
    },
  };
}

/** A clock that stands still until it is turned forward. */
export type ManualClock = AdjustableClock;

/** A manual clock that starts at `start` (Unix milliseconds). */
export function createManualClock(start: number = Date.UTC(2026, 0, 1)): ManualClock {
  return createAdjustableClock({ start, speed: 0 });
}
