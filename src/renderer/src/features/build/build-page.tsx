import { Button } from "@mantine/core";
import { IconFileOff } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { describeError, useApi, useBridge, useRpc } from "../../bridge/index.ts";
import { EmptyState, ErrorCard } from "../../components/index.ts";
import classes from "./build-page.module.css";
import { BuildScreen } from "./build-screen.tsx";
import { getDraftSessions } from "./draft/draft-sessions.ts";
import { removals } from "./draft/removals.ts";
import { SessionProvider } from "./draft/session-context.ts";
import { useNewDraft } from "./draft/use-drafts.ts";
import { createBuildQueries } from "./queries.ts";

export interface BuildPageProps {
  /** The draft that the address names; null for the one that was open last, or a new one. */
  readonly draftId: string | null;
  /** Puts a draft into the address: with `replace` in the stead of the present one in the history. */
  readonly onOpenDraft: (draftId: string, options?: { readonly replace?: boolean }) => void;
  readonly onOpenBatch: (batchId: string) => void;
}

/** Where a table and a prompt become a batch. */
export function BuildPage({ draftId, ...ways }: BuildPageProps) {
  return draftId === null ? <LatestDraft {...ways} /> : <OpenDraft key={draftId} draftId={draftId} {...ways} />;
}

type Ways = Omit<BuildPageProps, "draftId">;

/** Goes to the draft that was changed last, or to a new one. */
function LatestDraft({ onOpenDraft }: Ways) {
  const rpc = useRpc();
  const latest = useQuery({
    queryKey: ["build", "latest draft"],
    queryFn: async () => {
      const drafts = await rpc.drafts.list();
      const gone = removals.state.getState();
      return drafts.find(({ id }) => !gone.has(id)) ?? (await rpc.drafts.create({}));
    },
    gcTime: 0,
    staleTime: 0,
  });
  const id = latest.data?.id;
  useEffect(() => {
    if (id !== undefined) onOpenDraft(id, { replace: true });
  }, [id, onOpenDraft]);
  return latest.isError ? (
    <div className={classes.middle}>
      <ErrorCard
        title="The drafts could not be read"
        {...describeError(latest.error)}
        onRetry={() => void latest.refetch()}
      />
    </div>
  ) : null;
}

function OpenDraft({ draftId, ...ways }: Ways & { readonly draftId: string }) {
  const bridge = useBridge();
  const queryClient = useQueryClient();
  const draft = useQuery(createBuildQueries(useApi()).draft(draftId));
  const sessions = getDraftSessions(bridge, queryClient);
  const session = draft.data === undefined ? sessions.find(draftId) : sessions.open(draft.data);
  const newDraft = useNewDraft(ways.onOpenDraft);

  useEffect(() => {
    // Whoever comes back to a draft that is being removed wants to have it.
    removals.keep(draftId);
    return () => void sessions.find(draftId)?.keeper.flush();
  }, [draftId, sessions]);
  useEffect(() => {
    if (draft.data !== undefined) session?.follow(draft.data);
  }, [session, draft.data]);

  if (session !== undefined) {
    return (
      <SessionProvider value={session}>
        <BuildScreen key={session.id} {...ways} />
      </SessionProvider>
    );
  }
  if (!draft.isError) return null;
  return (
    <EmptyState
      icon={<IconFileOff size={26} />}
      title="This draft can’t be opened"
      actions={
        <>
          <Button variant="filled" loading={newDraft.isPending} onClick={() => newDraft.mutate()}>
            New draft
          </Button>
          <Button onClick={() => void draft.refetch()}>Try again</Button>
        </>
      }
    >
      {describeError(draft.error).message}
    </EmptyState>
  );
}
