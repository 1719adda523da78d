import { type ReactNode, useCallback, useState } from "react";
import { describeError, isMaybePaid } from "../bridge/index.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface ConfirmPaid {
  /**
   * Asks lines again. Where some of them may be paid already the user is asked first; null where that is declined.
   */
  readonly ask: <T>(work: (evenIfPaid: boolean) => Promise<T>) => Promise<T | null>;
  /** To be rendered by the page. */
  readonly dialog: ReactNode;
}

/** Has the user confirm what may be paid twice. */
export function useConfirmPaid(): ConfirmPaid {
  const [question, setQuestion] = useState({ message: "", answer: (_isConfirmed: boolean) => {} });
  const [opened, setOpened] = useState(false);
  const ask = useCallback(async <T,>(work: (evenIfPaid: boolean) => Promise<T>): Promise<T | null> => {
    try {
      return await work(false);
    } catch (error) {
      if (!isMaybePaid(error)) throw error;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      setQuestion({ message: describeError(error).message, answer: resolve });
      setOpened(true);
      return (await promise) ? await work(true) : null;
    }
  }, []);
  const decide = (isConfirmed: boolean) => {
    setOpened(false);
    question.answer(isConfirmed);
  };
  const dialog = (
    <ConfirmDialog
      opened={opened}
      onClose={() => decide(false)}
      title="Ask again, and maybe pay twice?"
      keep="Don’t ask again"
      confirm="Ask again"
      isPending={false}
      onConfirm={() => decide(true)}
    >
      {question.message}
    </ConfirmDialog>
  );
  return { ask, dialog };
}
