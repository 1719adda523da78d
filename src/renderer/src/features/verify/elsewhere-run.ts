import { createStore } from "zustand/vanilla";
import type { ConnectionVerification } from "#contract";
import type { Texts } from "./texts.ts";

/** Which other judge was asked about which texts, and its result. */
export interface ElsewhereRun {
  readonly name: string;
  readonly texts: Texts;
  readonly outcome:
    | { readonly status: "running" }
    | { readonly status: "answered"; readonly answer: ConnectionVerification }
    | { readonly status: "failed"; readonly error: unknown };
}

/** The last one of this page; null before. It continues when the page is left. */
export const elsewhereRun = createStore<ElsewhereRun | null>()(() => null);

let current: AbortController | null = null;

/** Asks in place of what is under way. */
export async function askElsewhere(
  about: Omit<ElsewhereRun, "outcome">,
  ask: (signal: AbortSignal) => Promise<ConnectionVerification>,
): Promise<void> {
  current?.abort();
  const own = new AbortController();
  current = own;
  const show = (outcome: ElsewhereRun["outcome"]) => {
    if (current === own) elsewhereRun.setState({ ...about, outcome }, true);
  };
  show({ status: "running" });
  try {
    show({ status: "answered", answer: await ask(own.signal) });
  } catch (error) {
    show({ status: "failed", error });
  }
}

/** Ends what is under way, and forgets the result of the last one. */
export function forgetElsewhere(): void {
  current?.abort();
  current = null;
  elsewhereRun.setState(null, true);
}
