import { Button } from "@mantine/core";
import { IconFileOff } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { describeError, isDiskRefusal, useBridge } from "../../bridge/index.ts";
import { EmptyState, ErrorCard } from "../../components/index.ts";
import classes from "./build.module.css";
import { BuildScreen } from "./build-screen.tsx";
import { SessionProvider } from "./draft/draft-session.ts";
import { createSessionQuery } from "./draft/draft-sessions.ts";
import { useNewDraft } from "./draft/use-drafts.tsx";

export interface BuildPageProps {
  /** The draft that the address names. */
  readonly draftId: string;
  /** Puts a draft into the address: with `replace` in place of the present one in the history. */
  readonly onOpenDraft: (draftId: string, options?: { readonly replace?: boolean }) => void;
  readonly onOpenBatch: (batchId: string) => void;
  /** Opens batches side by side: those of one submit. */
  readonly onCompare: (batchIds: readonly string[]) => void;
}

/** Where a table and a prompt become a batch. */
export function BuildPage({ draftId, ...navigation }: BuildPageProps) {
  const session = useQuery(createSessionQuery(useBridge(), useQueryClient(), draftId));
  const newDraft = useNewDraft(navigation.onOpenDraft);
  if (session.data !== undefined) {
    return (
      <SessionProvider value={session.data}>
        <BuildScreen key={session.data.id} {...navigation} />
      </SessionProvider>
    );
  }
  if (!session.isError) return null;
  return (
    <EmptyState
      icon={<IconFileOff size={26} />}
      title="This draft can’t be opened"
      actions={
        <>
          <Button variant="filled" loading={newDraft.isPending} onClick={() => newDraft.mutate()}>
            New draft
          </Button>
          <Button onClick={() => void session.refetch()}>Try again</Button>
        </>
      }
    >
      {describeError(session.error).message}
    </EmptyState>
  );
}

/** Between two attempts to make the first draft while the disk refuses it, in milliseconds. */
const retryPeriod = 2_000;

/** Shown in place of Build when the draft to open can't be determined: where a disk refuses the first one, until it takes it. */
export function DraftsError({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const isRefused = isDiskRefusal(error);
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    if (!isRefused) return;
    const timer = setInterval(retry, retryPeriod);
    return () => clearInterval(timer);
  }, [isRefused]);
  return (
    <div className={classes.middle}>
      <ErrorCard
        title={isRefused ? "A new draft can’t be stored now" : "The drafts could not be read"}
        {...describeError(error)}
        {...(isRefused && { message: "The bar above says why. The draft is made by itself once the disk takes it." })}
        onRetry={onRetry}
      />
    </div>
  );
}
