import { Menu } from "@mantine/core";
import { IconArrowRampRight, IconBandage, IconPlayerStop, IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { HeadButton } from "../../../components/index.ts";
import { canCancel } from "../describe-batch.ts";
import { useDraftFromBatch } from "../use-draft-from-batch.ts";
import classes from "./batch-actions.module.css";
import { useBatchPage } from "./batch-page.tsx";
import { MoreMenu } from "./more-menu.tsx";
import { useWaysToRetry } from "./use-ways-to-retry.ts";

export interface BatchActionsProps {
  /** The button that exports its results. */
  readonly exportButton: ReactNode;
  /** What else is done with its results, as items of the menu. */
  readonly resultItems: ReactNode;
}

/** What can be done with a batch: what is done most as buttons, everything else in one menu. */
export function BatchActions({ exportButton, resultItems }: BatchActionsProps) {
  const { batch, onOpenDraft, onCancel } = useBatchPage();
  const drafting = useDraftFromBatch(onOpenDraft);
  const ways = useWaysToRetry();
  // While it runs, its cancel is the button.
  const isRunning = canCancel(batch);
  const first = isRunning ? undefined : ways.list[0];
  const others = ways.list.filter((way) => way !== first);
  return (
    <div className={classes.root}>
      {isRunning ? <HeadButton label="Cancel" icon={<IconPlayerStop size={15} />} onClick={onCancel} /> : null}
      {first === undefined ? null : (
        <HeadButton
          label={first.label}
          word={first.word}
          icon={<IconRefresh size={15} />}
          loading={ways.isPending}
          onClick={first.run}
        />
      )}
      {batch.status === "failed" && !batch.isReadOnly ? (
        <HeadButton
          label="Fix the lines"
          icon={<IconBandage size={15} />}
          loading={drafting.isPending}
          onClick={() => drafting.open(batch.id, "lines")}
        />
      ) : null}
      {exportButton}
      {batch.isReadOnly && batch.counts.total === 0 ? null : (
        <MoreMenu onDraft={(as) => drafting.open(batch.id, as)}>
          {others.map(({ label, isElsewhere, run }) => (
            <Menu.Item
              key={label}
              leftSection={isElsewhere ? <IconArrowRampRight size={16} /> : <IconRefresh size={16} />}
              onClick={run}
            >
              {label}
            </Menu.Item>
          ))}
          {others.length === 0 ? null : <Menu.Divider />}
          {resultItems}
        </MoreMenu>
      )}
      {ways.dialog}
    </div>
  );
}
