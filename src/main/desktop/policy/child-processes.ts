import type { Question } from "./question.ts";

/** The end of one of Electron's processes. The page's is not among them. */
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

/** The name of the process that asks the system's keychain. */
export const keychainProcess = "Sheaf keychain";

/** The graphics process comes back by itself. After so many ends in a run Chromium draws without it, and slower. */
const mostGraphicsEnds = 3;

/**
 * Decides what a user sees of an end. Batches run in the main process, and no answer is in any of these: only the drawing suffers.
 * `before`: how often the graphics process has ended in this run so far.
 */
export function afterChildGone({ type, reason, name }: ChildGone, before: number): ChildDecision {
  if (reason === "clean-exit") return { do: "nothing" };
  // Sheaf kills it once it has answered, or takes too long. The caller that needs the key reports the latter.
  if (name === keychainProcess && reason === "killed") return { do: "nothing" };
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
