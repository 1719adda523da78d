import type { Machine } from "#main/base";
import type { LineRetries } from "./line-retries.ts";
import type { ModelPauses } from "./model-pauses.ts";
import type { RunCell } from "./run-state.ts";

/** A wait that is longer is shown with its end, in milliseconds. */
const longestUntold = 10 * 60_000;

interface WaitDeps {
  readonly machine: Machine;
  readonly run: RunCell;
  readonly retries: LineRetries;
  readonly models: ModelPauses;
  readonly hasFresh: () => boolean;
  /** Called when the next line is due. */
  readonly onDue: () => void;
  /** Called with why nothing moves, and with null when it does again. */
  readonly onWaiting: (reason: string | null) => void;
}

/** What a run of lines waits for. */
export interface RunWaits {
  /** Calls `onDue` when the next line is due, and shows until then what the run waits for. */
  plan(): void;
  show(text: string | null): void;
  cancel(): void;
}

export function createRunWaits({ machine, run, retries, models, hasFresh, onDue, onWaiting }: WaitDeps): RunWaits {
  let cancel = () => {};

  function plan(): void {
    cancel();
    const isReady = hasFresh() || models.due() !== null;
    const waits = [retries.nextWait(isReady), models.nextWait()].filter((each) => each !== null);
    const wait = run.state().phase !== "sending" || waits.length === 0 ? null : Math.min(...waits);
    if (wait !== null) {
      cancel = machine.after(wait, () => {
        onDue();
        const { phase, inFlight } = run.state();
        // A test of a model may be due while no call may start.
        if (phase !== "over" && inFlight === 0) plan();
      });
    }
    if (run.state().throttled === 0) show(findText(wait));
  }

  /** What is shown while nothing moves but for this many milliseconds. */
  function findText(wait: number | null): string | null {
    const { inFlight, reason, shown } = run.state();
    const isEmpty = !hasFresh() && inFlight === 0;
    if (models.reason !== null && retries.size === 0 && isEmpty) return models.reason;
    const isIdle = retries.size > 0 && isEmpty;
    if (reason === null || !(retries.isStopped || isIdle)) return retries.isStopped ? shown : null;
    const until = wait !== null && wait > longestUntold ? ` Next try: ${describeMoment(machine.wall() + wait)}.` : "";
    const about = retries.size === 1 ? "1 request is" : `${retries.size} requests are`;
    return `${retries.isStopped ? "" : `${about} sent again. `}${reason}${until}`;
  }

  function show(text: string | null): void {
    if (text === run.state().shown) return;
    run.send({ type: "shown", text });
    onWaiting(text);
  }

  return { plan, show, cancel: () => cancel() };
}

/** A moment of today or another day, to the minute, as the computer's clock shows it. */
function describeMoment(moment: number): string {
  const at = new Date(moment);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
