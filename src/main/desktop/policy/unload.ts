import type { UnsavedDraft } from "#contract";
import type { Question } from "./question.ts";

/** Why a page is to go that has something unsaved. */
export type Leaving = "quit" | "close" | "reload" | "shutdown";

export type UnloadDecision =
  | { readonly do: "leave" }
  | { readonly do: "ask"; readonly question: Question<"stay" | "leave"> };

const leaveLabels = { quit: "Quit anyway", close: "Close anyway", reload: "Load anyway" } as const;

/**
 * Decides what happens with a page that does not consent to its end, because not all of its drafts are saved. The system's shutdown
 * waits for no one: then it goes.
 */
export function decideUnload(unsaved: readonly UnsavedDraft[], leaving: Leaving): UnloadDecision {
  if (leaving === "shutdown") return { do: "leave" };
  const label = leaveLabels[leaving];
  const [first] = unsaved;
  const name = first === undefined || first.name.trim() === "" ? "A draft" : `The draft “${first.name}”`;
  const question: Question<"stay" | "leave"> = {
    type: "warning",
    message: unsaved.length > 1 ? `${unsaved.length} drafts are not saved.` : `${name} is not saved.`,
    detail: describeLoss(unsaved, label),
    buttons: [
      ["Stay", "stay"],
      [label, "leave"],
    ],
    closed: "stay",
  };
  return { do: "ask", question };
}

function describeLoss(unsaved: readonly UnsavedDraft[], label: string): string {
  if (unsaved.some(({ reason }) => reason === "failed"))
    return `The last changes could not be stored. ${label} drops them, and keeps the version that was stored before. To keep them, stay until Build shows that the draft is saved.`;
  return `The draft was changed in another window meanwhile. ${label} drops what you changed in this window, and keeps the other version. To keep yours, stay and choose Save mine in Build.`;
}
