import { Button, Modal } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { describeError, useApi } from "../../bridge/index.ts";
import { ErrorCard, formatNumber } from "../../components/index.ts";
import classes from "./history.module.css";

export interface ClearHistory {
  /** Opens the question. */
  readonly ask: (count: number) => void;
  /** To be rendered by the place. */
  readonly dialog: ReactNode;
}

/** Clears the history after having said what is lost. */
export function useClearHistory(): ClearHistory {
  const api = useApi();
  const queryClient = useQueryClient();
  const [count, setCount] = useState(0);
  const [opened, setOpened] = useState(false);
  const { mutate, isPending, error, reset } = useMutation(
    api.verify.clearHistory.mutationOptions({
      onSuccess: async () => {
        setOpened(false);
        await queryClient.invalidateQueries({ queryKey: api.verify.history.key() });
      },
    }),
  );
  return {
    ask(found) {
      reset();
      setCount(found);
      setOpened(true);
    },
    dialog: (
      <Modal opened={opened} onClose={() => setOpened(false)} title="Clear the history?" size={440}>
        <p className={classes.question}>{describeLoss(count)} What is in the fields stays.</p>
        {error ? <ErrorCard title="The history was not cleared" {...describeError(error)} /> : null}
        <div className={classes.actions}>
          <Button onClick={() => setOpened(false)}>Keep</Button>
          <Button variant="filled" color="red" loading={isPending} data-autofocus onClick={() => mutate({})}>
            Clear history
          </Button>
        </div>
      </Modal>
    ),
  };
}

function describeLoss(count: number): string {
  return count === 1
    ? "The one verification in it, with its texts and its result, is removed for good."
    : `The ${formatNumber(count)} verifications in it, with their texts and results, are removed for good.`;
}
