import { createStore } from "zustand/vanilla";
import type { ConnectionVerification } from "#contract";
import type { Texts } from "./texts.ts";

/** Which other judge was asked about which texts, and its result. */
export interface ConnectionVerificationState {
  readonly name: string;
  readonly texts: Texts;
  readonly outcome:
    | { readonly status: "running" }
    | { readonly status: "answered"; readonly answer: ConnectionVerification }
    | { readonly status: "failed"; readonly error: unknown };
}

/** The last one of this page; null before. It continues when the page is left. */
export const connectionVerification = createStore<ConnectionVerificationState | null>()(() => null);

let current: AbortController | null = null;

/** Starts one; the one that is under way is aborted. */
export async function verifyWithConnection(
  about: Omit<ConnectionVerificationState, "outcome">,
  ask: (signal: AbortSignal) => Promise<ConnectionVerification>,
): Promise<void> {
  current?.abort();
  const own = new AbortController();
  current = own;
  const show = (outcome: ConnectionVerificationState["outcome"]) => {
    if (current === own) connectionVerification.setState({ ...about, outcome }, true);
  };
  show({ status: "running" });
  try {
    show({ status: "answered", answer: await ask(own.signal) });
  } catch (error) {
    show({ status: "failed", error });
  }
}

/** Aborts the one that is under way, and clears the last result. */
export function cancelConnectionVerification(): void {
  current?.abort();
  current = null;
  connectionVerification.setState(null, true);
}
