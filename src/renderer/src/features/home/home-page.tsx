import { Button, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMemo } from "react";
import { type BatchView, type ConnectionView, finalStatuses, type JudgeCost, type Preset } from "#contract";
import { useConnection } from "../../bridge/index.ts";
import { ErrorCard, formatRelativeTime, showOffer, useNow } from "../../components/index.ts";
import { useBatchQualities, useLefts } from "../../queries/batch-queries.ts";
import { useHome } from "../../state/home.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import { AttentionList } from "./attention-list.tsx";
import type { AttentionActions } from "./attention-row.tsx";
import { FinishedList, RunningList, WaitingList } from "./batch-lists.tsx";
import { CostCard } from "./cost-card.tsx";
import { ExampleLinks, Examples, type ExamplesProps } from "./examples.tsx";
import { findAttention, findFailed } from "./find-attention.ts";
import { HomeNews } from "./home-news.tsx";
import classes from "./home-page.module.css";
import { findFinished, startOfMonth, sumCosts } from "./summarize.ts";

export interface HomePageProps extends Omit<AttentionActions, "onDismiss">, ExamplesProps {
  /** Newest first. */
  readonly batches: readonly BatchView[];
  readonly isPending: boolean;
  readonly error: { readonly message: string; readonly details: string; readonly onRetry: () => void } | null;
  /** The trials of this month, which are in no list but cost as all do. */
  readonly trials: readonly BatchView[];
  /** What models that judge cost this month. */
  readonly judges: readonly JudgeCost[];
  readonly connections: readonly ConnectionView[];
  readonly presets: readonly Preset[];
  /** Whether answers from this computer are made up. */
  readonly isMock: boolean;
  readonly onNewBatch: () => void;
  readonly isMakingBatch: boolean;
  readonly onVerify: () => void;
  readonly onShowBatches: () => void;
}

/** Failed lines of so many batches are looked up: their indexes are read for it. */
const mostLookedUp = 50;

/** Where the day begins: what runs, what needs the user, what has ended, and what it cost. */
export function HomePage(props: HomePageProps) {
  const {
    batches,
    isPending,
    error,
    trials,
    judges,
    connections,
    presets,
    isMock,
    onNewBatch,
    isMakingBatch,
    onVerify,
  } = props;
  const now = useNow(60_000);
  const isLive = useConnection().status === "open";
  const since = useHome(({ visits }) => visits?.since ?? 0);
  const dismissedKeys = useHome((state) => state.dismissed);
  const dismissed = useMemo(() => new Set(dismissedKeys), [dismissedKeys]);
  const month = startOfMonth(now);
  const { running = [], waiting = [] } = useMemo(() => {
    const live = batches.filter(({ status }) => !finalStatuses.has(status));
    return Object.groupBy(live, (batch) => (batch.waiting === null ? "running" : "waiting"));
  }, [batches]);
  const finished = useMemo(() => findFinished(batches, since), [batches, since]);
  const costs = useMemo(() => sumCosts([...batches, ...trials], judges, month), [batches, trials, judges, month]);
  const qualities = useBatchQualities();
  const failed = useMemo(() => findFailed(batches), [batches]);
  const lookedUp = useMemo(() => {
    const shown = failed.filter(({ key }) => !dismissed.has(key)).slice(0, mostLookedUp);
    return shown.map(({ batch }) => batch);
  }, [failed, dismissed]);
  const lefts = useLefts(lookedUp);
  const known = useMemo(
    () => findAttention(batches, connections, presets, lefts),
    [batches, connections, presets, lefts],
  );
  const attention = useMemo(() => known.filter(({ key }) => !dismissed.has(key)), [known, dismissed]);
  const dismiss = (keys: readonly string[], title: string) => {
    const { dismiss, restore } = useHome.getState();
    // Dismissed failures are not looked up: those among them that a retry has answered in part are not found again.
    dismiss(keys, new Set([...known, ...failed].map(({ key }) => key)));
    showOffer({ title, run: () => restore(keys) });
  };
  useShortcuts("Home", [{ keys: "N", label: "New batch", run: onNewBatch }]);

  const isEmpty = !isPending && error === null && batches.length === 0;
  return (
    <div className={classes.root}>
      {isPending ? null : <HomeNews batches={batches} attention={attention} />}
      <div className={classes.column}>
        <header className={classes.head}>
          <Title>Home</Title>
          <div className={classes.actions}>
            <Button onClick={onVerify}>Verify</Button>
            {connections.length === 0 ? <Button onClick={props.onSettings}>Connect a model</Button> : null}
            <Button
              variant="filled"
              leftSection={<IconPlus size={16} />}
              loading={isMakingBatch}
              onClick={onNewBatch}
              data-first-focus
            >
              New batch
            </Button>
          </div>
        </header>
        {costs.length > 0 ? <CostCard costs={costs} month={month} /> : null}
        <div className={classes.column} aria-busy={isPending}>
          {error === null ? null : (
            <ErrorCard
              title="The batches could not be read"
              message={error.message}
              details={error.details}
              onRetry={error.onRetry}
            />
          )}
          {running.length > 0 ? (
            <RunningList batches={running} isLive={isLive} onOpen={props.onOpen} onShowAll={props.onShowBatches} />
          ) : null}
          {waiting.length > 0 ? (
            <WaitingList batches={waiting} onOpen={props.onOpen} onShowAll={props.onShowBatches} />
          ) : null}
          {attention.length > 0 ? <AttentionList attention={attention} onDismiss={dismiss} {...props} /> : null}
          {isEmpty ? (
            <Examples {...props} isMadeUp={isMock && connections.length === 0} />
          ) : isPending || error !== null ? null : (
            <FinishedList
              finished={finished}
              qualities={qualities}
              since={formatRelativeTime(since, now)}
              onOpen={props.onOpen}
              onShowAll={props.onShowBatches}
            />
          )}
        </div>
        {isEmpty ? null : <ExampleLinks {...props} isMadeUp={isMock && connections.length === 0} />}
      </div>
    </div>
  );
}
