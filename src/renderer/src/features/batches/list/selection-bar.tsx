import { Button, CloseButton } from "@mantine/core";
import { IconArrowsDiff, IconDownload, IconPlayerStop, IconRefresh, IconTrash } from "@tabler/icons-react";
import type { BatchView } from "#contract";
import { formatCount } from "../../../components/index.ts";
import { useLeft } from "../../../queries/batch-queries.ts";
import { canCancel, countEnded, isUnderWay } from "../describe-batch.ts";
import { describeRetry } from "../use-retry-batch.tsx";
import classes from "./toolbar.module.css";

export interface SelectionBarProps {
  readonly chosen: readonly BatchView[];
  readonly onRetry: (batches: readonly BatchView[]) => void;
  readonly isRetrying: boolean;
  readonly onCancel: (batches: readonly BatchView[]) => void;
  readonly onCompare: (batches: readonly BatchView[]) => void;
  readonly onExport: (batches: readonly BatchView[]) => void;
  readonly onRemove: (batches: readonly BatchView[]) => void;
  readonly onClear: () => void;
}

/** What can be done with the batches that are chosen. It is in the place of the search, so that nothing moves. */
export function SelectionBar(props: SelectionBarProps) {
  const { chosen, onRetry, isRetrying, onCancel, onCompare, onExport, onRemove, onClear } = props;
  const failed = chosen.filter(({ counts, isReadOnly }) => counts.failed + counts.damaged > 0 && !isReadOnly);
  const running = chosen.filter(canCancel);
  const ended = chosen.filter(({ status, isReadOnly }) => !isUnderWay(status) && !isReadOnly);
  const withResults = chosen.filter((batch) => countEnded(batch) > 0);
  const comparable = chosen.filter(({ counts }) => counts.total > 0);
  const retry = describeRetry(useLeft(failed), "failed");
  return (
    <section className={classes.root} aria-label="What to do with the chosen batches">
      <output className={classes.chosen}>{formatCount(chosen.length, "batch", "batches")} selected</output>
      <Button
        leftSection={<IconRefresh size={15} />}
        disabled={retry === null}
        loading={isRetrying}
        onClick={() => onRetry(failed)}
      >
        {retry ?? "Retry failed"}
      </Button>
      <Button
        leftSection={<IconDownload size={15} />}
        disabled={withResults.length === 0}
        onClick={() => onExport(withResults)}
      >
        Export
      </Button>
      <Button
        leftSection={<IconArrowsDiff size={15} />}
        disabled={comparable.length < 2}
        title={comparable.length < 2 ? "Choose two batches or more that have answers" : undefined}
        onClick={() => onCompare(comparable)}
      >
        Compare
      </Button>
      <Button
        leftSection={<IconPlayerStop size={15} />}
        disabled={running.length === 0}
        onClick={() => onCancel(running)}
      >
        Cancel
      </Button>
      <Button
        color="red"
        leftSection={<IconTrash size={15} />}
        disabled={ended.length === 0}
        onClick={() => onRemove(ended)}
      >
        Delete
      </Button>
      <CloseButton className={classes.clear} aria-label="Clear the selection" onClick={onClear} />
    </section>
  );
}
