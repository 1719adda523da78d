import { type ErrorComponentProps, useParams, useRouter } from "@tanstack/react-router";
import { BuildPage, DraftsError } from "../../features/build/index.ts";
import { FailedPage } from "../message-pages.tsx";
import { Page } from "../shell/page.tsx";
import { useOpen } from "./use-open.ts";

/** `/build` and `/build/<draft>`. */
export function BuildRoute() {
  const { draftId } = useParams({ from: "/build/{-$draftId}" });
  const { openBatch, openDraft, compare } = useOpen();
  return (
    <Page title="Build">
      {draftId === undefined ? null : (
        <BuildPage draftId={draftId} onOpenDraft={openDraft} onOpenBatch={openBatch} onCompare={compare} />
      )}
    </Page>
  );
}

/** The address of a draft could not be found out, or its page failed. */
export function BuildError(failure: ErrorComponentProps) {
  const { draftId } = useParams({ from: "/build/{-$draftId}" });
  const router = useRouter();
  if (draftId !== undefined) return <FailedPage {...failure} />;
  return (
    <Page title="Build">
      <DraftsError error={failure.error} onRetry={() => void router.invalidate()} />
    </Page>
  );
}
