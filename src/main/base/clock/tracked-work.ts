import { ServiceError } from "../errors.ts";
import type { Machine, TrackedWork } from "../ports.ts";
import { nextTurn } from "./machine.ts";

/** Without progress for so many milliseconds of the machine, a clock that is turned gives up waiting. */
const longestStall = 30_000;

/** The work that a clock waits for while it is turned. */
export interface WorkRegister {
  begin(what: string, stopsTime: boolean): TrackedWork;
  /** Whether there is any; `stopsTime`: any of the kind that a fast clock stands still for. */
  isBusy(): boolean;
  isStopping(): boolean;
  /** Calls `run` as soon as there is none. */
  whenSettled(run: () => void): void;
  /** Resolves when there is none, and nothing waits for that. Fails with a ServiceError when nothing moves any more. */
  settle(describeTime: () => string): Promise<void>;
}

/** `onChange` is called when work begins or ends. */
export function createWorkRegister(machine: Machine, onChange: () => void): WorkRegister {
  const register = new Set<{ readonly what: string; readonly stopsTime: boolean }>();
  let callbacks: (() => void)[] = [];
  let isDraining = false;
  let changed = Promise.withResolvers<void>();

  function announce(): void {
    changed.resolve();
    changed = Promise.withResolvers();
  }

  /** The promises that wait for the end of some work may begin the next: only after their turn is it known to be over. */
  async function drain(): Promise<void> {
    if (isDraining) return;
    isDraining = true;
    while (callbacks.length > 0) {
      await nextTurn();
      if (register.size > 0) {
        await changed.promise;
        continue;
      }
      const due = callbacks;
      callbacks = [];
      for (const run of due) run();
    }
    isDraining = false;
    announce();
  }

  return {
    begin(what, stopsTime) {
      const entry = { what, stopsTime };
      register.add(entry);
      announce();
      onChange();
      return {
        progress: announce,
        end() {
          if (!register.delete(entry)) return;
          announce();
          onChange();
        },
      };
    },
    isBusy: () => register.size > 0,
    isStopping: () => [...register].some(({ stopsTime }) => stopsTime),
    whenSettled(run) {
      callbacks.push(run);
      void drain();
    },
    async settle(describeTime) {
      for (;;) {
        await nextTurn();
        if (register.size === 0 && !isDraining) return;
        const stalled = Promise.withResolvers<boolean>();
        const cancel = machine.after(longestStall, () => stalled.resolve(true));
        const isStalled = await Promise.race([changed.promise.then(() => false), stalled.promise]);
        cancel();
        if (!isStalled) continue;
        const awaited = [...new Set(Array.from(register, ({ what }) => what))].join(", ");
        throw new ServiceError(
          "clock_stalled",
          `The clock has reached ${describeTime()} and waits for ${awaited}, where nothing has moved for 30 seconds.`,
        );
      }
    },
  };
}
