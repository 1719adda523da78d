import { backOff, formatCount } from "#contract";
import { type Machine, quote } from "#main/base";

/** After so many calls for a model that its server doesn't have, and none that was answered meanwhile, the model's lines wait. */
const callsToPause = 5;
/** Between two calls that test such a model, in milliseconds. */
const waits = { first: 2_000, longest: 5 * 60_000 };

/** Lines whose model the server of a connection doesn't have: a wrong name, or a model that was removed, is not the fault of each line. */
export interface ModelPauses {
  /** Lines that wait for their model, or whose failure is not decided yet. */
  readonly size: number;
  /** Whether a model is paused: then a line's model has to be known before it is sent. */
  readonly isAny: boolean;
  /** Why lines wait for their model; null where none does. */
  readonly reason: string | null;
  /** Keeps a line whose model is paused; false where it can be sent. */
  hold(model: string, line: number): boolean;
  /** The line that is to be sent now, as a test or because its model is there; null for none. */
  due(): number | null;
  /** A line is sent. */
  start(line: number): void;
  /** The server doesn't have the model. `fail` makes that the line's own failure; `reason` is a sentence with what to do. */
  refuse(model: string, line: number, reason: string, fail: () => void): void;
  /** The server answered the model's line. */
  accept(model: string): void;
  /** A call ended in a way that says nothing of its model. */
  forget(line: number): void;
  /** All others were sent: lines of models that are not paused fail. */
  settle(): void;
  /** Milliseconds until a test is due; null where that is now, or none is. */
  nextWait(): number | null;
}

interface Refused {
  readonly line: number;
  readonly fail: () => void;
}

interface PausedModel {
  readonly waiting: number[];
  reason: string;
  until: number;
  pauses: number;
  /** The line that tests it now. */
  testing: number | null;
}

export function createModelPauses(machine: Pick<Machine, "monotonic">): ModelPauses {
  /** Lines that were refused since their model was answered last. */
  const undecided = new Map<string, Refused[]>();
  const paused = new Map<string, PausedModel>();
  /** Lines whose model was paused and is there now, the last one first. */
  let ready: number[] = [];

  function failAll(model: string): void {
    const lines = undecided.get(model) ?? [];
    undecided.delete(model);
    for (const { fail } of lines) fail();
  }

  /** The next test is of another line, so that none is sent much more often than the others. */
  function keep(model: PausedModel, line: number): void {
    model.waiting.push(line);
    endTest(model, line);
  }

  function endTest(model: PausedModel, line: number): void {
    if (model.testing !== line) return;
    model.testing = null;
    model.until = machine.monotonic() + backOff(model.pauses, waits);
    model.pauses += 1;
  }

  const untested = () => [...paused.values()].filter(({ testing, waiting }) => testing === null && waiting.length > 0);

  return {
    get size() {
      const lines = (all: number, one: { readonly length: number }) => all + one.length;
      const waiting = [...paused.values()].map((model) => model.waiting);
      return ready.length + waiting.reduce(lines, 0) + [...undecided.values()].reduce(lines, 0);
    },
    get isAny() {
      return paused.size > 0;
    },
    get reason() {
      for (const [name, { waiting, reason }] of paused) {
        const wait = waiting.length === 1 ? "request waits" : "requests wait";
        if (waiting.length > 0)
          return `${formatCount(waiting.length, wait, wait)} for the model ${quote(name)}. ${reason}`;
      }
      return null;
    },
    hold(name, line) {
      const model = paused.get(name);
      if (model === undefined) return false;
      keep(model, line);
      return true;
    },
    due() {
      const first = ready.at(-1);
      if (first !== undefined) return first;
      return untested().find(({ until }) => until <= machine.monotonic())?.waiting[0] ?? null;
    },
    start(line) {
      if (ready.at(-1) === line) ready.pop();
      for (const model of paused.values()) {
        if (model.waiting[0] !== line) continue;
        model.waiting.shift();
        model.testing = line;
      }
    },
    refuse(name, line, reason, fail) {
      const model = paused.get(name);
      if (model !== undefined) {
        keep(model, line);
        return;
      }
      const lines = [...(undecided.get(name) ?? []), { line, fail }];
      undecided.set(name, lines);
      if (lines.length < callsToPause) return;
      undecided.delete(name);
      const until = machine.monotonic() + waits.first;
      paused.set(name, { waiting: lines.map((one) => one.line), reason, until, pauses: 1, testing: null });
    },
    accept(name) {
      failAll(name);
      const model = paused.get(name);
      if (model === undefined) return;
      ready = [...model.waiting.toReversed(), ...ready];
      paused.delete(name);
    },
    forget(line) {
      for (const model of paused.values()) endTest(model, line);
    },
    settle() {
      for (const model of [...undecided.keys()]) failAll(model);
    },
    nextWait() {
      if (ready.length > 0) return null;
      const first = Math.min(...untested().map(({ until }) => until)) - machine.monotonic();
      return first > 0 && Number.isFinite(first) ? first : null;
    },
  };
}
