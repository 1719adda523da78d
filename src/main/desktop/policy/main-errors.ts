import type { Question } from "./question.ts";

/** The kind of an error, such as `TypeError`: a name of its class, and nothing that anybody has written into it. */
export function nameError(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  return /^[A-Za-z]\w{0,59}$/.test(name) ? name : "Error";
}

export type RejectionDecision = "tell" | "note" | "ignore";

/** More of them say nothing new, and would take the disk's time. */
const mostNoted = 10;

/** Decides what happens with the error of work that nothing waited for: the first of a run is shown, some more are noted. */
export function afterRejection(before: number): RejectionDecision {
  if (before === 0) return "tell";
  return before < mostNoted ? "note" : "ignore";
}

/** What is shown of it. `where`: the function and place that the error came from, where that is known. */
export function describeRejection(name: string, where: string | undefined): Question<"continue" | "copy"> {
  return {
    type: "warning",
    message: "Something in Sheaf did not work.",
    detail: `Sheaf did not handle an error: ${name}${where === undefined ? "" : ` in ${where}`}. Sheaf goes on, and what is stored is kept. If something looks wrong, quit Sheaf and start it again. The details contain none of your data.`,
    buttons: [
      ["Continue", "continue"],
      ["Copy details", "copy"],
    ],
    closed: "continue",
  };
}
