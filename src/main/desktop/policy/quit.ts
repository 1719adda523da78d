import { formatNumber } from "#contract";
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

export type QuitDecision =
  /** The window closes; the app keeps running without one. */
  | { readonly do: "stay" }
  | ({ readonly do: "quit" } & QuitTimes)
  | { readonly do: "ask"; readonly message: string; readonly detail: string };

const closing = 5_000;

/** After the user has chosen to quit while batches run. */
export const quitTimes: QuitTimes = { grace: 60_000, limit: 60_000 + closing };
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
  if (running.length === 0) return { do: "quit", grace: 0, limit: closing };
  return { do: "ask", message: describeRunning(running), detail: describeEnd(running, isInTray) };
}

function describeRunning(running: readonly RunningBatch[]): string {
  const [first] = running;
  if (first === undefined || running.length > 1) return `${describeBatches(running)} are running.`;
  const done = `${formatNumber(first.done)} of ${formatNumber(first.total)} lines done`;
  return `${describeBatches(running)} is running${first.total === 0 ? "" : `, with ${done}`}.`;
}

function describeEnd(running: readonly RunningBatch[], isInTray: boolean): string {
  const it = running.length === 1 ? "it goes" : "they go";
  const [asked, elsewhere] = [true, false].map((asksItself) => [
    ...new Set(running.flatMap((batch) => (batch.asksItself === asksItself ? (batch.paidAt ?? []) : []))),
  ]);
  return [
    `Keep Sheaf running in ${isInTray ? "the tray" : "a minimized window"}, or quit: ${it} on at the next start.`,
    ...(asked ?? []).map(
      (name) => `Calls to ${name} that are under way are paid for: their answers are awaited for up to a minute.`,
    ),
    ...(elsewhere ?? []).map(
      (name) => `${name} goes on with what it has, and is paid for it; the answers are fetched at the next start.`,
    ),
  ].join(" ");
}
