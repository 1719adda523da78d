import { finalStatuses } from "#contract";
import type { BatchRecord } from "#main/storage";
import { noRun, type RunEvent, type RunState, reduceRun } from "./run-state.ts";
import { applyEvent, hasOpenRemoteParts, isExpiring, nextStatus, type RecordEvent } from "./state.ts";

/** The longest that a batch is cancelling (docs/spec/service-interface.md, Limits), in milliseconds. */
const longestCancel = 10 * 60_000;

/** Everything that is true of a batch that has not ended: its record, and what only this process has of it. */
export interface BatchState {
  readonly record: BatchRecord;
  readonly step: Step;
  /** The work that ended last; it is followed when a cancel is recorded. */
  readonly worked: Work;
  readonly isClosing: boolean;
  /** A cancel is on its way to the disk: the batch goes no way that it would not go after it. */
  readonly isCancelAsked: boolean;
  /** Something asks its lines. */
  readonly isRunning: boolean;
  /** That stops to begin again, because the connection was changed. */
  readonly isRestarting: boolean;
  /** How far an engine is with the lines; what a service elsewhere has of them is in the record. */
  readonly run: RunState;
  /** All lines have an answer. */
  readonly isWhole: boolean;
  /** How often it had to begin again. */
  readonly attempts: number;
  /** Why nothing moves. The first that is there is shown. */
  readonly diskFailure: string | null;
  readonly failure: Failure | null;
  readonly reason: string | null;
}

/** Why an attempt failed. */
interface Failure {
  readonly message: string;
  readonly isOfDisk: boolean;
}

/** What an effect begins, and an event ends. */
export type Work = "checking" | "counting" | "opening" | "asking" | "ending" | "held" | "pausing" | "leaving";

/**
 * What is done for a batch now. `deciding`: its user has to decide. `recording`: its cancel is written. `over`: nothing more,
 * because the batch has ended or the service closes.
 */
export type Step = Work | "deciding" | "recording" | "over";

/** Statuses that only the end of work leads to. */
type Ending = "stopped" | "finalized" | "window_closed";

export type BatchEvent =
  | Exclude<RecordEvent, { readonly type: Ending }>
  | { readonly type: "begun" }
  /** The ends of work that has no result. */
  | { readonly type: "check_stopped" | "released" | "paused" | "left" }
  | { readonly type: "opened" | "asked"; readonly isWhole: boolean }
  | ({ readonly type: "attempt_failed" } & Failure)
  /** A run of its lines is planned with the connection as it is; it is there. */
  | { readonly type: "run_planned" | "run_begun" | "connection_changed" }
  | { readonly type: "run"; readonly event: RunEvent }
  /** Null when the run moves again. */
  | { readonly type: "waits"; readonly reason: string | null }
  | { readonly type: "cancel_asked" | "cancel_dropped" | "cancel_overdue" | "deadline_met" }
  | { readonly type: "closing" | "grace_over" | "disk_changed" };

export type Alarm = "expiry" | "deadline" | "cancel_limit";

/** What is to be done because of an event, one after the other. */
export type Effect =
  /** The record is in the journal before anything else is done. */
  | { readonly type: "store" }
  | { readonly type: "begin"; readonly work: Work }
  /** Null for never. */
  | { readonly type: "set_alarm"; readonly alarm: Alarm; readonly at: number | null }
  /** From here on no time passes on the clock until the batch has ended, or until it is let pass. */
  | { readonly type: "stop_time" | "let_time_pass" }
  | { readonly type: "close" | "stop_check" }
  | { readonly type: "suspend_run" | "cancel_run" | "wake_run" }
  | { readonly type: "abort_run"; readonly reason: string }
  /** What waits for another connection looks again. */
  | { readonly type: "resume" }
  | { readonly type: "write_cancel"; readonly by: "user" | "deadline" };

export interface Reduced {
  readonly state: BatchState;
  readonly effects: readonly Effect[];
}

export function startState(record: BatchRecord): BatchState {
  return {
    record,
    step: "pausing",
    worked: "pausing",
    isClosing: false,
    isCancelAsked: false,
    isRunning: false,
    isRestarting: false,
    run: noRun,
    isWhole: false,
    attempts: 0,
    diskFailure: null,
    failure: null,
    reason: null,
  };
}

/** What becomes of a batch by an event at `now` (Unix milliseconds), and what is to be done then. An end of work that isn't under way changes nothing. */
export function reduce(state: BatchState, event: BatchEvent, now: number): Reduced {
  // Several for each line.
  if (event.type === "run") return to({ ...state, run: reduceRun(state.run, event.event) });
  const next = react(state, event, now);
  return { ...next, state: { ...next.state, record: showWaiting(next.state) } };
}

type OtherEvent = Exclude<BatchEvent, { readonly type: "run" }>;

function react(state: BatchState, event: OtherEvent, now: number): Reduced {
  const { record } = state;
  const noted = (by: RecordEvent): BatchState => ({ ...state, record: applyEvent(record, by, now) });
  switch (event.type) {
    case "begun":
      return begin(state, now);
    case "waits":
      return to({ ...state, reason: event.reason });
    case "run_planned":
      return to({ ...state, isRestarting: false, run: noRun });
    case "run_begun":
      return to({ ...state, isRunning: true, reason: null });
    case "connection_changed":
      return to({ ...state, isRestarting: state.isRunning }, { type: "suspend_run" }, { type: "resume" });
    case "disk_changed":
      return to(state);
    case "answered":
      return to(noted(event), { type: "wake_run" });
    case "noted":
      return to(noted(event), ...(event.isLasting ? [store] : []));
    case "deadline_set":
      return to(noted(event), store, { type: "set_alarm", alarm: "deadline", at: event.deadline });
    case "decided":
      return join([store, { type: "resume" }], goOn({ ...noted(event), reason: null }));
    case "window_cut":
      return record.status === "in_progress" ? to(noted(event), store) : to(state);
    case "window_ended":
      if (record.status !== "validating" && record.status !== "in_progress") return to(state);
      return join([{ type: "stop_time" }, { type: "stop_check" }, abortRun(windowEnded)], goOn(noted(event)));
    case "cancel_asked":
      return askCancel(state, "user");
    case "deadline_met":
      return askCancel(state, "deadline");
    case "cancel_requested":
      return cancel(state, event.by, now);
    case "cancel_dropped":
      return goOn({ ...state, isCancelAsked: false });
    case "cancel_overdue":
      // What a service elsewhere cancels ends when it reports the end: it may have answers until then.
      if (record.status !== "cancelling" || hasOpenRemoteParts(record)) return to(state);
      return to(state, { type: "stop_time" }, abortRun("The batch was cancelled."));
    case "closing":
      return join(
        [{ type: "close" }, { type: "stop_check" }, { type: "suspend_run" }, { type: "resume" }],
        goOn({ ...state, isClosing: true }),
      );
    case "grace_over":
      return to(state, abortRun("The service is closing."));
    case "attempt_failed":
      return fail(state, { message: event.message, isOfDisk: event.isOfDisk });
    default:
      return endWork(state, event, now);
  }
}

/** The work that each of these events is of. */
const workOf = {
  checked: "checking",
  rejected: "checking",
  check_stopped: "checking",
  counted: "counting",
  opened: "opening",
  asked: "asking",
  all_answered: "ending",
  written: "ending",
  released: "held",
  paused: "pausing",
  left: "leaving",
} as const satisfies Partial<Record<BatchEvent["type"], Work>>;

type WorkEnd = Extract<BatchEvent, { readonly type: keyof typeof workOf }>;

function endWork(state: BatchState, event: WorkEnd, now: number): Reduced {
  const { record, step } = state;
  const work = workOf[event.type];
  if (step !== work) return to(state);
  const noted = (by: RecordEvent): BatchState => ({ ...state, record: applyEvent(record, by, now), failure: null });
  switch (event.type) {
    case "checked":
    case "rejected":
      // Its cancel or the end of its window came first.
      if (nextStatus(record.status, event.type) === null || isExpiring(record)) return follow(state, work);
      return join([store], follow(noted(event), work));
    case "counted":
      return join([store], follow(noted(event), work));
    case "opened":
      return follow({ ...state, isWhole: event.isWhole, failure: null }, work);
    case "asked": {
      const asked = { ...state, isWhole: event.isWhole, isRunning: false, isRestarting: false };
      return join([setCancelLimit(null)], follow(asked, work));
    }
    case "all_answered":
      return nextStatus(record.status, event.type) === null ? to(state) : to(noted(event), store);
    case "written":
      return write({ ...state, record: applyEvent(record, event, now) }, now);
    case "released":
      return state.isClosing ? enter(state, "leaving") : join([store], enter(noted({ type: "stopped" }), "leaving"));
    case "left":
      return to({ ...state, step: "over" });
    default:
      return follow(state, work);
  }
}

/** The work that follows; before it, a cancel that is asked for is recorded. */
function follow(state: BatchState, worked: Work): Reduced {
  const { record, isClosing, isWhole } = state;
  if (worked === "pausing") {
    if (needsDecision(state)) return to({ ...state, step: "deciding", reason: unclear });
    return record.status === "validating" && !mustStop(state) ? enter(state, "checking") : follow(state, "checking");
  }
  if (worked === "checking" || worked === "counting") {
    if (isClosing || finalStatuses.has(record.status)) return enter(state, "leaving");
    if (state.isCancelAsked) return to({ ...state, step: "recording", worked });
    // The check was stopped for a cancel that could not be recorded.
    if (record.status === "validating" && !mustStop(state)) return enter(state, "checking");
    return enter(state, worked === "checking" && record.counts.total === 0 ? "counting" : "opening");
  }
  if (state.isCancelAsked) return to({ ...state, step: "recording", worked });
  if (worked === "opening" && !isClosing) {
    // One that was finalizing when the power went may lack its last answers.
    const lacksAnswers = record.status === "finalizing" && !isWhole;
    if (record.status === "in_progress" || lacksAnswers || hasOpenRemoteParts(record)) return enter(state, "asking");
  }
  // After a restart it is fetched what a service elsewhere has answered by then.
  if (isClosing && (hasOpenRemoteParts(record) || findEnd(state) === null)) return enter(state, "leaving");
  return enter(state, "ending");
}

/** A check has no use any more. */
function mustStop({ record, isClosing, isCancelAsked }: BatchState): boolean {
  return isClosing || isCancelAsked || isExpiring(record);
}

/** How a batch ends whose lines are asked no more; null where some have no answer and no reason for that. */
export function findEnd({ record, isWhole }: BatchState): "cancelled" | "expired" | "completed" | null {
  if (record.status === "cancelling") return "cancelled";
  if (isExpiring(record)) return "expired";
  return isWhole ? "completed" : null;
}

/** Nothing is sent before its user has decided. After its window nothing is sent in any case. */
function needsDecision({ record, isClosing }: BatchState): boolean {
  return record.unclear && !isClosing && !isExpiring(record);
}

/** Leaves a step that waits, where what it waits for is there. */
function goOn(state: BatchState): Reduced {
  const { step, isCancelAsked } = state;
  if (step === "deciding" && !needsDecision(state)) return follow({ ...state, reason: null }, "pausing");
  return step === "recording" && !isCancelAsked ? follow(state, state.worked) : to(state);
}

function begin(state: BatchState, now: number): Reduced {
  const { connection, deadline, times } = state.record;
  const alarms: Effect[] = [{ type: "set_alarm", alarm: "deadline", at: deadline }];
  // The completion window of a batch elsewhere is the connection's.
  if (connection !== null) return join(alarms, follow(state, "pausing"));
  // Made when the clock was ahead of now: the window begins anew.
  const at = Math.min(times.expires, now + (times.expires - times.created));
  if (at > now) return join([...alarms, { type: "set_alarm", alarm: "expiry", at }], follow(state, "pausing"));
  const expired = react(state, { type: "window_ended" }, now);
  return join([...alarms, ...expired.effects], follow(expired.state, "pausing"));
}

function askCancel(state: BatchState, by: "user" | "deadline"): Reduced {
  if (state.isCancelAsked || nextStatus(state.record.status, "cancel_requested") === null) return to(state);
  const asked = { ...state, isCancelAsked: true, isRestarting: false };
  return to(asked, { type: "stop_check" }, { type: "cancel_run" }, { type: "write_cancel", by });
}

function cancel(state: BatchState, by: "user" | "deadline", now: number): Reduced {
  const event = { type: "cancel_requested", by } as const;
  if (nextStatus(state.record.status, event.type) === null) return goOn({ ...state, isCancelAsked: false });
  const record = applyEvent(state.record, event, now);
  const limit = setCancelLimit((record.times.cancelling ?? now) + longestCancel);
  return join([store, { type: "resume" }, limit], goOn({ ...state, record, isCancelAsked: false, failure: null }));
}

/** All answers are in closed files. */
function write(state: BatchState, now: number): Reduced {
  const { status } = state.record;
  // Time passes while it is held.
  if (status === "cancelling") return join([{ type: "let_time_pass" }, setCancelLimit(null)], enter(state, "held"));
  const type = status === "finalizing" ? "finalized" : "window_closed";
  if (nextStatus(status, type) === null) {
    return fail(state, { message: `A batch with status ${status} can't end.`, isOfDisk: false });
  }
  return join([store], enter({ ...state, record: applyEvent(state.record, { type }, now) }, "leaving"));
}

function fail(state: BatchState, failure: Failure): Reduced {
  if (!working.has(state.step)) return to(state);
  if (state.isClosing || finalStatuses.has(state.record.status)) return enter(state, "leaving");
  const { attempts } = state;
  const failed = { ...state, failure, attempts: attempts + 1, isRunning: false, isRestarting: false, isWhole: false };
  return enter(failed, "pausing");
}

/** The steps that can fail. */
const working: ReadonlySet<Step> = new Set(["checking", "counting", "opening", "asking", "ending", "held", "pausing"]);

/** The record, with the reason for which nothing moves. */
function showWaiting({ record, diskFailure, failure, reason }: BatchState): BatchRecord {
  const waiting = finalStatuses.has(record.status) ? null : (diskFailure ?? failure?.message ?? reason);
  return record.waiting === waiting ? record : { ...record, waiting };
}

const store: Effect = { type: "store" };

function to(state: BatchState, ...effects: readonly Effect[]): Reduced {
  return { state, effects };
}

function join(effects: readonly Effect[], next: Reduced): Reduced {
  return { state: next.state, effects: [...effects, ...next.effects] };
}

function enter(state: BatchState, work: Work): Reduced {
  return to({ ...state, step: work, worked: work }, { type: "begin", work });
}

function setCancelLimit(at: number | null): Effect {
  return { type: "set_alarm", alarm: "cancel_limit", at };
}

function abortRun(reason: string): Effect {
  return { type: "abort_run", reason };
}

const windowEnded = "The completion window of the batch has ended.";
/** What was done for it may be lost: before its user has decided nothing is sent that may have been paid already. */
const unclear =
  "The record of this batch's last changes is damaged. Lines without an answer may have been sent and billed. Choose whether to send them.";
