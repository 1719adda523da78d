import { type ErrorComponentProps, useNavigate, useParams, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { BuildPage, DraftsError } from "../../features/build/index.ts";
import { FailedPage } from "../message-pages.tsx";
import { Page } from "../shell/page.tsx";

/** `/build` and `/build/<draft>`. */
export function BuildRoute() {
  const { draftId } = useParams({ from: "/build/{-$draftId}" });
  const navigate = useNavigate();
  const openDraft = useCallback(
    (id: string, { replace = false }: { readonly replace?: boolean } = {}) =>
      void navigate({ to: "/build/{-$draftId}", params: { draftId: id }, replace }),
    [navigate],
  );
  const openBatch = useCallback(
    (batchId: string) => void navigate({ to: "/batches/$batchId", params: { batchId } }),
    [navigate],
  );
  const compare = useCallback(
    (ids: readonly string[]) => void navigate({ to: "/compare", search: { ids: ids.join(",") } }),
    [navigate],
  );
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
