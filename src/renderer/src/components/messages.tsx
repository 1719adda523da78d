import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { describeError } from "../bridge/index.ts";
import { removalDelay } from "../state/removals.ts";
import { CopyButton } from "./copy-button.tsx";

/**
 * Reports that something the user asked for failed, and why: a failure, or a sentence of the page's own. It stays
 * until it is closed.
 */
export function showFailure(title: string, error: unknown): void {
  const { message, details } = typeof error === "string" ? { message: error, details: null } : describeError(error);
  notifications.show({
    color: "red",
    title,
    autoClose: false,
    message: (
      <>
        <div>{message}</div>
        {details === null ? null : (
          <div style={{ marginTop: 6 }}>
            <CopyButton value={`${title}\n${details}`} label="Copy details" />
          </div>
        )}
      </>
    ),
  });
}

/** Copies a short text and reports that; where the browser refuses, the report has the text. `what` begins a sentence: "The batch id". */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notifications.show({ message: `${what} is copied` });
  } catch {
    showFailure(
      `${what} was not copied`,
      `The browser blocked access to the clipboard. Copy the text from here: ${text}`,
    );
  }
}

interface OfferProps {
  /** What was done: "“Reviews” is deleted". */
  readonly title: ReactNode;
  /** What that means, such as what is lost. */
  readonly message?: ReactNode;
  /** The button, "Undo" by default. */
  readonly label?: string;
  readonly run: () => void;
}

/** Reports what was done, and offers for ten seconds to undo it, or to go there. */
export function showOffer({ title, message, label = "Undo", run }: OfferProps): void {
  const shown = notifications.show({
    title,
    autoClose: removalDelay,
    message: (
      <>
        {message === undefined ? null : <div>{message}</div>}
        <Button
          size="xs"
          mt={6}
          onClick={() => {
            notifications.hide(shown);
            run();
          }}
        >
          {label}
        </Button>
      </>
    ),
  });
}
