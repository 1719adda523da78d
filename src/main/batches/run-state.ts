/** How far the run of a batch's lines through an engine is. */
export interface RunState {
  /** `stopping`: sends nothing more, and waits for what is in flight. */
  readonly phase: "sending" | "stopping" | "over";
  /** Whether it stopped before its last line because the batch is to end early. */
  readonly isCutShort: boolean;
  /** The first line that was not sent yet. */
  readonly next: number;
  readonly inFlight: number;
  /** The most that were in flight since that was asked last. */
  readonly peak: number;
  readonly isLoading: boolean;
  /** Lines in flight that wait as long as the server asks to. */
  readonly throttled: number;
  /** Whether an answer to one of the lines could be read. */
  readonly hasRead: boolean;
  /** Why lines are sent again, or not at all; null while all are sent. */
  readonly reason: string | null;
  /** What is shown of that. */
  readonly shown: string | null;
  /** What it met first of our own disk: it ends with that, to be tried again. */
  readonly failure: { readonly error: unknown } | null;
}

export type RunEvent =
  | { readonly type: "begun"; readonly hasRead: boolean }
  /** The lines before `next` have an answer, were sent, or wait for their model. */
  | { readonly type: "passed"; readonly next: number }
  | { readonly type: "sent"; readonly next: number }
  | { readonly type: "line_ended" }
  | { readonly type: "loading" | "loaded" }
  | { readonly type: "throttled" | "let_pass" }
  | { readonly type: "read" }
  | { readonly type: "met"; readonly reason: string }
  | { readonly type: "shown"; readonly text: string | null }
  | { readonly type: "peak_taken" }
  | { readonly type: "stopped" | "cut_short" }
  | { readonly type: "failed"; readonly error: unknown }
  | { readonly type: "over" };

export const noRun: RunState = {
  phase: "over",
  isCutShort: false,
  next: 1,
  inFlight: 0,
  peak: 0,
  isLoading: false,
  throttled: 0,
  hasRead: false,
  reason: null,
  shown: null,
  failure: null,
};

/** The run after an event. What is over stays so until another run begins. */
export function reduceRun(run: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case "begun":
      return { ...noRun, phase: "sending", hasRead: event.hasRead };
    case "passed":
      return { ...run, next: Math.max(run.next, event.next) };
    case "sent": {
      const inFlight = run.inFlight + 1;
      return { ...run, inFlight, next: Math.max(run.next, event.next), peak: Math.max(run.peak, inFlight) };
    }
    case "line_ended":
      return { ...run, inFlight: run.inFlight - 1 };
    case "loading":
      return { ...run, isLoading: true };
    case "loaded":
      return { ...run, isLoading: false };
    case "throttled":
      return { ...run, throttled: run.throttled + 1 };
    case "let_pass":
      return { ...run, throttled: run.throttled - 1 };
    case "read":
      return run.hasRead ? run : { ...run, hasRead: true };
    case "met":
      return { ...run, reason: event.reason };
    case "shown":
      return { ...run, shown: event.text };
    case "peak_taken":
      return { ...run, peak: run.inFlight };
    case "stopped":
      return stop(run);
    case "cut_short":
      return { ...stop(run), isCutShort: true };
    case "failed":
      return { ...stop(run), failure: run.failure ?? { error: event.error } };
    case "over":
      return { ...run, phase: "over" };
  }
}

function stop(run: RunState): RunState {
  return run.phase === "sending" ? { ...run, phase: "stopping" } : run;
}

/** Whether nothing of it is under way any more, so that it is over when nothing is left to be sent. */
export function isQuiet({ inFlight, isLoading }: RunState): boolean {
  return inFlight === 0 && !isLoading;
}

/** A run that is read and changed. */
export interface RunCell {
  state(): RunState;
  send(event: RunEvent): void;
}
