import { formatNumber } from "#contract";
import type { Question } from "./question.ts";
import { describeBatches, type RunningBatch } from "./running-batch.ts";

/** Who wants the app to end: its user, by the menu or by closing its last window, or the system. */
export type QuitReason = "user" | "last_window" | "shutdown";

export interface QuitSetting {
  readonly platform: NodeJS.Platform;
  /** Whether the app can be found again in the tray: it was clicked there before. */
  readonly isInTray: boolean;
}

/** How an end is made, in milliseconds. */
export interface QuitTimes {
  /** How long what is in flight is awaited. */
  readonly grace: number;
  /** How long the end may take in all. */
  readonly limit: number;
}

/** What its user wants who was asked: the app goes on without its window, or ends, or goes on as it is. */
export type QuitAnswer = "keep" | "quit" | "cancel";

export type QuitDecision =
  /** The window closes; the app keeps running without one. */
  | { readonly do: "stay" }
  | ({ readonly do: "quit" } & QuitTimes)
  | { readonly do: "ask"; readonly question: Question<QuitAnswer> };

/** How long storing what is answered may take, in milliseconds. */
export const storeLimit = 5_000;

/** After the user has chosen to quit while batches run. */
export const quitTimes: QuitTimes = { grace: 60_000, limit: 60_000 + storeLimit };
/** The system gives an app some seconds at a shutdown, and asks no one. */
export const shutdownTimes: QuitTimes = { grace: 2_000, limit: 3_000 };

/** Decides whether the app ends at once, asks first, or keeps running without a window. */
export function decideQuit(
  running: readonly RunningBatch[],
  reason: QuitReason,
  { platform, isInTray }: QuitSetting,
): QuitDecision {
  if (reason === "shutdown") return { do: "quit", ...shutdownTimes };
  if (reason === "last_window" && platform === "darwin") return { do: "stay" };
  if (running.length === 0) return { do: "quit", grace: 0, limit: storeLimit };
  const question: Question<QuitAnswer> = {
    type: "question",
    message: describeRunning(running),
    detail: describeEnd(running, isInTray),
    buttons: [
      ["Keep running", "keep"],
      ["Quit", "quit"],
      ["Cancel", "cancel"],
    ],
    closed: "cancel",
  };
  return { do: "ask", question };
}

/** An end that is under way. */
export interface Closing {
  /** How long answers are still awaited, in milliseconds; 0 while only storing is left. */
  readonly left: number;
  /** Whether the user has started the app meanwhile, who can't see why it does not come. */
  readonly isStartedAgain: boolean;
}

/** What is shown while the app ends. `cut` ends the wait for answers, or for the disk where that is all. */
export function describeClosing(
  running: readonly RunningBatch[],
  { left, isStartedAgain }: Closing,
): Question<"wait" | "cut"> {
  const asked = running.filter(({ asksItself }) => asksItself);
  const waiting = [
    `It waits up to ${formatNumber(Math.ceil(left / 1_000))} s for answers to requests${asked.length === 0 ? "" : ` of ${describeBatches(asked)}`} that are already sent.`,
    "Quit now keeps every answer that is here. Requests without one are sent again at the next start.",
  ];
  const storing = [
    "It stores the last answers, which takes a few seconds.",
    "After Quit now, requests whose answers are not stored yet are sent again at the next start.",
  ];
  return {
    type: "info",
    message: "Sheaf is closing.",
    detail: [
      ...(left > 0 ? waiting : storing),
      ...listPaid(asked).map((name) => `${name} may bill those twice.`),
      ...(isStartedAgain
        ? ["Start Sheaf again once it has closed, also for files and links that you opened now."]
        : []),
    ].join(" "),
    buttons: [
      ["Wait", "wait"],
      ["Quit now", "cut"],
    ],
    closed: "wait",
  };
}

function describeRunning(running: readonly RunningBatch[]): string {
  const [first] = running;
  if (first === undefined || running.length > 1) return `${describeBatches(running)} are running.`;
  const done = `${formatNumber(first.done)} of ${formatNumber(first.total)} lines done`;
  return `${describeBatches(running)} is running${first.total === 0 ? "" : `, with ${done}`}.`;
}

function describeEnd(running: readonly RunningBatch[], isInTray: boolean): string {
  const it = running.length === 1 ? "it goes" : "they go";
  const [asked = [], elsewhere = []] = [true, false].map((asksItself) =>
    listPaid(running.filter((batch) => batch.asksItself === asksItself)),
  );
  return [
    `Keep Sheaf running in ${isInTray ? "the tray" : "a minimized window"}, or quit: ${it} on at the next start.`,
    ...asked.map(
      (name) => `Calls to ${name} that are under way are paid for: their answers are awaited for up to a minute.`,
    ),
    ...elsewhere.map(
      (name) => `${name} goes on with what it has, and is paid for it; the answers are fetched at the next start.`,
    ),
  ].join(" ");
}

/** The connections of the batches that are paid, each once. */
function listPaid(batches: readonly RunningBatch[]): readonly string[] {
  return [...new Set(batches.flatMap(({ paidAt }) => paidAt ?? []))];
}
