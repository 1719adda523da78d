import {
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  useNavigate,
  useParams,
  useSearch,
} from "@tanstack/react-router";
import { useCallback } from "react";
import { BatchesPage, type BatchesSearch, batchesSearchSchema, batchSearchSchema } from "../features/batches/index.ts";
import { BuildPage } from "../features/build/index.ts";
import { ServerPage } from "../features/server/index.ts";
import { VerifyPage } from "../features/verify/index.ts";
import { BatchRoute } from "./batch-route.tsx";
import { FailedPage, NotFoundPage } from "./message-pages.tsx";
import { useExampleDraft, useNewBatch } from "./open-draft.ts";
import { Page } from "./shell/page.tsx";
import { Shell } from "./shell/shell.tsx";
import { useShell } from "./shell/shell-state.ts";

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage });

/** Starts where the app was left. */
const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ href: useShell.getState().lastPage ?? "/batches", replace: true });
  },
});

/** One route with and without a draft, so that Build stays as it is when a new draft gets its id. */
const buildRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/build/{-$draftId}",
  component: BuildRoute,
});

const batchesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/batches",
  validateSearch: batchesSearchSchema,
  component: BatchesRoute,
});

const batchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/batches/$batchId",
  validateSearch: batchSearchSchema,
  component: BatchRoute,
});

const verifyRoute = createRoute({ getParentRoute: () => rootRoute, path: "/verify", component: VerifyRoute });

const serverRoute = createRoute({ getParentRoute: () => rootRoute, path: "/server", component: ServerRoute });

export const router = createRouter({
  routeTree: rootRoute.addChildren([startRoute, buildRoute, batchesRoute, batchRoute, verifyRoute, serverRoute]),
  defaultErrorComponent: FailedPage,
});

router.subscribe("onResolved", ({ toLocation }) => useShell.getState().setLastPage(toLocation.href));

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

/** `/build` and `/build/<draft>`. */
function BuildRoute() {
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
  return (
    <Page title="Build">
      <BuildPage draftId={draftId ?? null} onOpenDraft={openDraft} onOpenBatch={openBatch} />
    </Page>
  );
}

/** `/server`. */
function ServerRoute() {
  return (
    <Page title="Server">
      <ServerPage />
    </Page>
  );
}

/** `/verify`. */
function VerifyRoute() {
  const navigate = useNavigate();
  const openServer = useCallback(() => void navigate({ to: "/server" }), [navigate]);
  return (
    <Page title="Verify">
      <VerifyPage onOpenServer={openServer} />
    </Page>
  );
}

/** `/batches`. */
function BatchesRoute() {
  const search = useSearch({ from: "/batches" });
  const navigate = useNavigate({ from: "/batches" });
  const newBatch = useNewBatch();
  const example = useExampleDraft();
  const open = useCallback(
    (batchId: string) => void navigate({ to: "/batches/$batchId", params: { batchId } }),
    [navigate],
  );
  const change = useCallback(
    (changed: Partial<BatchesSearch>) =>
      void navigate({ to: "/batches", search: (before) => ({ ...before, ...changed }), replace: true }),
    [navigate],
  );
  return (
    <Page title="Batches">
      <BatchesPage
        search={search}
        onSearch={change}
        onOpen={open}
        onBuild={newBatch.open}
        isBuilding={newBatch.isOpening}
        onTryExample={example.open}
        exampleIsOpening={example.isOpening}
      />
    </Page>
  );
}
