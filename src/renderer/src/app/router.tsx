import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  redirect,
  useNavigate,
  useParams,
  useRouter,
  useSearch,
} from "@tanstack/react-router";
import { useCallback } from "react";
import type { Bridge } from "../bridge/index.ts";
import { BatchesPage, type BatchesSearch, batchesSearchSchema, batchSearchSchema } from "../features/batches/index.ts";
import { BuildPage, DraftsError, findLatestDraft } from "../features/build/index.ts";
import { ServerPage } from "../features/server/index.ts";
import { VerifyPage } from "../features/verify/index.ts";
import { BatchRoute } from "./batch-route.tsx";
import { FailedPage, NotFoundPage } from "./message-pages.tsx";
import { useExampleDraft, useNewBatch } from "./open-draft.ts";
import { Page } from "./shell/page.tsx";
import { Shell } from "./shell/shell.tsx";
import { useShell } from "./shell/shell-state.ts";

/** What routes need before they are drawn. */
interface RouterContext {
  readonly bridge: Bridge;
  readonly queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Shell, notFoundComponent: NotFoundPage });

/** Starts where the app was left. */
const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ href: useShell.getState().lastPage ?? "/batches", replace: true });
  },
});

/** Without a draft, it goes to the one that was changed last, or to a new one. */
const buildRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/build/{-$draftId}",
  async beforeLoad({ context: { bridge, queryClient }, params }) {
    if (params.draftId !== undefined) return;
    const { id } = await findLatestDraft(bridge, queryClient);
    throw redirect({ to: "/build/{-$draftId}", params: { draftId: id }, replace: true });
  },
  component: BuildRoute,
  errorComponent: BuildError,
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

/** Finds the page of an address, and remembers it as the one to start with. */
export function createAppRouter(context: RouterContext) {
  const router = createRouter({
    routeTree: rootRoute.addChildren([startRoute, buildRoute, batchesRoute, batchRoute, verifyRoute, serverRoute]),
    context,
    defaultErrorComponent: FailedPage,
  });
  router.subscribe("onResolved", ({ toLocation }) => useShell.getState().setLastPage(toLocation.href));
  return router;
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
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
      {draftId === undefined ? null : <BuildPage draftId={draftId} onOpenDraft={openDraft} onOpenBatch={openBatch} />}
    </Page>
  );
}

function BuildError(failure: ErrorComponentProps) {
  const { draftId } = useParams({ from: "/build/{-$draftId}" });
  const router = useRouter();
  if (draftId !== undefined) return <FailedPage {...failure} />;
  return (
    <Page title="Build">
      <DraftsError error={failure.error} onRetry={() => void router.invalidate()} />
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
