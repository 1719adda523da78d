import type { Question } from "./question.ts";

/** A process of Electron's that has ended, the page's own apart. */
export interface ChildGone {
  readonly type: string;
  readonly reason: string;
  /** What it did, such as `Network Service`. */
  readonly name?: string | undefined;
}

export type ChildDecision =
  /** It was to end. */
  | { readonly do: "nothing" }
  /** It goes in the log and in a report. Electron starts it again where it is needed. */
  | { readonly do: "note" }
  | { readonly do: "tell"; readonly question: Question<"continue"> };

/** The graphics process comes back by itself. After so many ends in a run Chromium draws without it, and slower. */
const mostGraphicsEnds = 3;

/**
 * Decides what a user sees of an end. Batches run in the main process, and no answer is in any of these: only the drawing suffers.
 * `before`: how often the graphics process has ended in this run so far.
 */
export function afterChildGone({ type, reason }: ChildGone, before: number): ChildDecision {
  if (reason === "clean-exit") return { do: "nothing" };
  // The process for the keychain is ended once it has answered, or takes too long: who needs the key is told of it.
  if (type === "Utility" && reason === "killed") return { do: "nothing" };
  if (type !== "GPU" || before + 1 !== mostGraphicsEnds) return { do: "note" };
  return {
    do: "tell",
    question: {
      type: "warning",
      message: "Sheaf's graphics process has stopped three times.",
      detail:
        "The window may now be drawn more slowly. Running batches go on. If the window stays blank, quit Sheaf and start it again.",
      buttons: [["Continue", "continue"]],
      closed: "continue",
    },
  };
}
