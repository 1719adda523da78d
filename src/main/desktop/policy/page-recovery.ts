import type { Question } from "./question.ts";

/** The times at which the page died, in milliseconds. */
export type CrashHistory = readonly number[];

export interface CrashDecision {
  /** The page comes back by itself, or the user is asked: a page that dies each time it comes back would go on for ever. */
  readonly do: "reload" | "ask";
  readonly history: CrashHistory;
}

const span = 60_000;
const mostInSpan = 3;

/** Decides what happens after the page has died now. */
export function afterCrash(before: CrashHistory, now: number): CrashDecision {
  const history = [...before, now].filter((at) => now - at < span);
  return { do: history.length < mostInSpan ? "reload" : "ask", history };
}

/** What is asked about a page that dies again and again. */
export const repeatedCrash: Question<"reload" | "close"> = {
  type: "error",
  message: "Sheaf's window has stopped working again.",
  detail: "Running batches go on, and drafts are kept. Load the window again to see them.",
  buttons: [
    ["Load again", "reload"],
    ["Close window", "close"],
  ],
  closed: "close",
};

/** A load of the page as Electron reports it: as a failure, or as an answer with a status. */
export type PageLoad =
  | { readonly kind: "failed"; readonly code: number; readonly description: string; readonly isMainFrame: boolean }
  | { readonly kind: "answered"; readonly status: number };

/** Chromium's code for a load that another one has replaced. */
const aborted = -3;

/** Why the window shows no page of the app: a word for the report; null where it does, or will. */
export function whyNotLoaded(load: PageLoad): string | null {
  if (load.kind === "answered") return load.status >= 400 ? `status ${load.status}` : null;
  if (!load.isMainFrame || load.code === aborted) return null;
  return /^[A-Z_]{1,60}$/.test(load.description) ? load.description : `code ${load.code}`;
}

/** What is asked about a page that can't be loaded. */
export function describeLoadFailure(reason: string, hasReport: boolean): Question<"retry" | "report" | "quit"> {
  return {
    type: "error",
    message: "Sheaf's window could not be loaded.",
    detail: `The reason is: ${reason}. Running batches go on, and nothing that is stored is lost. If trying again does not help, install Sheaf again: your data stays.`,
    buttons: [["Try again", "retry"], ...(hasReport ? ([["Show report", "report"]] as const) : []), ["Quit", "quit"]],
    closed: "quit",
  };
}

/** What the window was about to do when it stopped answering: nothing, or to close, alone or with the app. */
export type Ending = "close" | "quit" | null;

/** How long a user who waits for a window waits until the next question, in milliseconds. */
export const nextHangQuestion = 30_000;

/** What is asked about a window that does not answer. `leave` closes it without its consent. */
export function describeHang(ending: Ending): Question<"wait" | "reload" | "leave"> {
  const kept = "Running batches go on. What you changed in the last seconds may not be saved yet.";
  if (ending === null) {
    return {
      type: "warning",
      message: "Sheaf's window does not respond.",
      detail: `${kept} Wait for it, or load it again.`,
      buttons: [
        ["Wait", "wait"],
        ["Load again", "reload"],
      ],
      closed: "wait",
    };
  }
  const isQuit = ending === "quit";
  return {
    type: "warning",
    message: `Sheaf's window does not respond, and so it can't ${isQuit ? "quit" : "be closed"}.`,
    detail: isQuit
      ? "What you changed in the last seconds may not be saved yet. Wait for it, or quit."
      : `${kept} Wait for it, or close it.`,
    buttons: [
      ["Wait", "wait"],
      [isQuit ? "Quit anyway" : "Close anyway", "leave"],
    ],
    closed: "wait",
  };
}
