import { Button, Modal, Select } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { BatchDetail, BatchView } from "#contract";
import { describeError, useRpc } from "../../bridge/index.ts";
import classes from "../../components/dialog-form.module.css";
import { ErrorCard, formatCount, JudgeModelFields } from "../../components/index.ts";
import { describeFailedLines, useStoreRetries } from "./use-retry-batch.tsx";

export interface RetryDialog {
  /** Offers these lines, else those that failed, are damaged or never ran. */
  readonly open: (lines?: readonly number[]) => void;
  /** To be rendered by the page. */
  readonly dialog: ReactNode;
}

/** The dialog that asks lines of a batch again, of another model or at another connection. */
export function useRetryDialog(batch: BatchDetail, onRetried: (retry: BatchView) => void): RetryDialog {
  const [lines, setLines] = useState<readonly number[]>([]);
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  const dialog = (
    <Modal opened={opened} onClose={close} title={`Ask lines of “${batch.name}” again`} size={480}>
      <RetryForm batch={batch} lines={lines} onRetried={onRetried} onClose={close} />
    </Modal>
  );
  return {
    open(chosen = []) {
      setLines(chosen);
      setOpened(true);
    },
    dialog,
  };
}

interface RetryFormProps {
  readonly batch: BatchDetail;
  readonly lines: readonly number[];
  readonly onRetried: (retry: BatchView) => void;
  readonly onClose: () => void;
}

type Which = "lines" | "failed" | "never_ran";

function RetryForm({ batch, lines, onRetried, onClose }: RetryFormProps) {
  const rpc = useRpc();
  const store = useStoreRetries();
  const offered = listOffered(batch, lines);
  const [wanted, setWanted] = useState<Which>("lines");
  const which = offered.find(({ value }) => value === wanted) ?? offered[0];
  const [target, setTarget] = useState({ model: null as string | null, connectionId: batch.connection?.id });
  const { mutate, isPending, error } = useMutation({
    mutationFn: (asked: Which) =>
      rpc.batches.retry({
        id: batch.id,
        which: asked,
        ...(asked === "lines" && { lines: [...lines] }),
        connectionId: target.connectionId ?? null,
        ...(target.model && { model: target.model }),
      }),
    onSuccess(retry) {
      store([retry]);
      onClose();
      onRetried(retry);
    },
  });
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (which !== undefined && !isPending) mutate(which.value);
      }}
    >
      <Select
        label="Lines"
        data={offered}
        value={which?.value ?? null}
        placeholder="No line is left that failed, is damaged or never ran"
        disabled={offered.length < 2}
        allowDeselect={false}
        onChange={(value) => setWanted(offered.find((one) => one.value === value)?.value ?? "lines")}
      />
      <JudgeModelFields {...target} mockAnswers placeholder="The model that each line names" onChange={setTarget} />
      <p className={classes.plan} role="status">
        {target.model === null || target.model === ""
          ? `Each line is sent as it was${batch.models[0] === undefined ? "" : `, to ${batch.models.join(", ")}`}.`
          : `Each line is sent as it was, but to ${target.model}.`}{" "}
        What comes of them is a batch of its own, and part of the merged results.
      </p>
      {error ? <ErrorCard title="No line is asked again" {...describeError(error)} /> : null}
      <div className={classes.actions}>
        <Button onClick={onClose}>Close</Button>
        <Button type="submit" variant="filled" loading={isPending} disabled={which === undefined}>
          {which === undefined ? "Ask again" : `Ask ${which.label} again`}
        </Button>
      </div>
    </form>
  );
}

/** Lines that can be asked again. */
function listOffered({ left }: BatchDetail, lines: readonly number[]): { value: Which; label: string }[] {
  const offered: [Which, number, string][] = [
    ["lines", lines.length, formatCount(lines.length, "selected line")],
    ["failed", left.failed + left.damaged, describeFailedLines(left)],
    ["never_ran", left.neverRan, formatCount(left.neverRan, "remaining line")],
  ];
  return offered.flatMap(([value, count, label]) => (count === 0 ? [] : [{ value, label }]));
}
