import type { Machine } from "#main/base";
import type { Store } from "#main/storage";

const day = 24 * 60 * 60_000;

/** Whether the computer's clock can be right: one that is suddenly far ahead would have everything removed for its age. */
export interface ClockDoubt {
  /** True while it is more than a day ahead of what it has to show, until Sheaf has run for a day since. */
  isDoubtful(): boolean;
  trust(): void;
  /** Changes are dated by a clock that is wrong, too: the next start must not take it for right because of them. */
  store(): void;
}

export function createClockDoubt(
  { clockDoubt, newestChange }: Pick<Store, "clockDoubt" | "newestChange">,
  machine: Machine,
): ClockDoubt {
  const stored = clockDoubt.get();
  /** What the computer's clock showed last, as far as it is believed, and when that was. */
  let trusted = {
    wall: stored?.expected ?? (Math.max(newestChange, 0) || machine.wall()),
    at: machine.monotonic(),
  };
  /** From when it is doubted, by `monotonic`, as if Sheaf had run without an end. */
  let doubtedSince = stored === null ? null : trusted.at - stored.ran;

  const expect = (at: number) => trusted.wall + at - trusted.at;

  function isDoubtful(): boolean {
    const at = machine.monotonic();
    const ahead = machine.wall() - expect(at);
    if (doubtedSince === null && ahead > day) doubtedSince = at;
    if (doubtedSince !== null && at - doubtedSince < day) return true;
    trust();
    return false;
  }

  function trust(): void {
    trusted = { wall: machine.wall(), at: machine.monotonic() };
    doubtedSince = null;
  }

  return {
    isDoubtful,
    trust,
    store() {
      const at = machine.monotonic();
      const doubt = isDoubtful() ? { expected: expect(at), ran: at - (doubtedSince ?? at) } : null;
      if (doubt !== null || clockDoubt.get() !== null) clockDoubt.set(doubt);
    },
  };
}
