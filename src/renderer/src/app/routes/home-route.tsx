import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type BatchView, type JudgeCost, monthOf } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import { useNow } from "../../components/index.ts";
import { useDraftFromBatch, useRetryBatches } from "../../features/batches/index.ts";
import { HomePage } from "../../features/home/index.ts";
import { useBatches } from "../../queries/batch-queries.ts";
import { useExampleDraft, useNewBatch } from "../open-draft.ts";
import { Page } from "../shell/page.tsx";
import { useOpen } from "./use-open.ts";

/** `/`. */
export function HomeRoute() {
  const api = useApi();
  const navigate = useNavigate();
  const { openBatch, openFailed, openDraft } = useOpen();
  const { batches, isPending, error, refetch } = useBatches();
  const { data: connections = [] } = useQuery(api.connections.list.queryOptions());
  const { data: presets = [] } = useQuery(
    api.connections.presets.queryOptions({ staleTime: Number.POSITIVE_INFINITY }),
  );
  const { data: info } = useQuery(api.app.info.queryOptions());
  // Trials are no news; they are asked for because they cost something.
  const { data: latest } = useQuery(
    api.batches.list.queryOptions({ input: { limit: 500, trials: true }, enabled: connections.length > 0 }),
  );
  const month = monthOf(useNow(60_000));
  const { data: judges } = useQuery(api.batches.judgeCosts.queryOptions({ input: { month }, staleTime: 0 }));
  const newBatch = useNewBatch();
  const example = useExampleDraft();
  const draft = useDraftFromBatch(openDraft);
  const retries = useRetryBatches(([first, second]) => {
    if (second !== undefined) void navigate({ to: "/batches" });
    else if (first !== undefined) openBatch(first.id);
  });
  const reconnect = useMutation(api.connections.retry.mutationOptions());
  return (
    <Page title="Home">
      {retries.dialog}
      <HomePage
        batches={batches}
        isPending={isPending}
        error={error === null ? null : { ...describeError(error), onRetry: () => void refetch() }}
        trials={latest?.batches.filter(isTrial) ?? noTrials}
        judges={judges ?? noJudges}
        connections={connections}
        presets={presets}
        isMock={info?.isMock ?? false}
        onNewBatch={newBatch.open}
        isMakingBatch={newBatch.isOpening}
        onVerify={() => void navigate({ to: "/verify" })}
        onShowBatches={() => void navigate({ to: "/batches" })}
        onShowFailed={() => void navigate({ to: "/batches", search: { failed: true } })}
        onOpen={openBatch}
        onOpenFailed={openFailed}
        onOpenProblems={(batchId) => openBatch(batchId, { tab: "problems" })}
        onRetry={retries.retry}
        onMend={(batchId) => draft.open(batchId, "lines")}
        onSettings={() => void navigate({ to: "/settings" })}
        onRetryConnection={(id) => reconnect.mutate({ id })}
        isActing={reconnect.isPending || retries.isPending || draft.isPending}
        onTryExample={example.open}
        isOpeningExample={example.isOpening}
      />
    </Page>
  );
}

const noTrials: readonly BatchView[] = [];
const noJudges: readonly JudgeCost[] = [];

function isTrial({ link }: BatchView): boolean {
  return link?.kind === "trial";
}
