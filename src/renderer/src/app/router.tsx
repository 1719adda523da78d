import type { QueryClient } from "@tanstack/react-query";
import {
  type AnyRouter,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import type { Bridge } from "../bridge/index.ts";
import { showFailure } from "../components/index.ts";
import { batchesSearchSchema } from "../features/batches/index.ts";
import { findLatestDraft } from "../features/build/index.ts";
import { compareSearchSchema } from "../features/compare/index.ts";
import { filesSearchSchema } from "../features/files/index.ts";
import { guideSearchSchema } from "../features/guide/index.ts";
import { batchSearchSchema } from "../features/results/index.ts";
import { serverSearchSchema } from "../features/server/index.ts";
import { FailedPage, NotFoundPage } from "./message-pages.tsx";
import { Shell } from "./shell/shell.tsx";
import { useShell } from "./shell/shell-state.ts";

/** What routes need before they are drawn. */
interface RouterContext {
  readonly bridge: Bridge;
  readonly queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Shell, notFoundComponent: NotFoundPage });

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./routes/home-route.tsx"), "HomeRoute"),
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
  component: lazyRouteComponent(() => import("./routes/build-route.tsx"), "BuildRoute"),
  errorComponent: lazyRouteComponent(() => import("./routes/build-route.tsx"), "BuildError"),
});

const batchesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/batches",
  validateSearch: batchesSearchSchema,
  component: lazyRouteComponent(() => import("./routes/batches-route.tsx"), "BatchesRoute"),
});

const batchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/batches/$batchId",
  validateSearch: batchSearchSchema,
  component: lazyRouteComponent(() => import("./routes/batch-route.tsx"), "BatchRoute"),
});

const compareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/compare",
  validateSearch: compareSearchSchema,
  component: lazyRouteComponent(() => import("./routes/compare-route.tsx"), "CompareRoute"),
});

const filesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/files",
  validateSearch: filesSearchSchema,
  component: lazyRouteComponent(() => import("./routes/files-route.tsx"), "FilesRoute"),
});

const verifyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/verify",
  component: lazyRouteComponent(() => import("./routes/verify-route.tsx"), "VerifyRoute"),
});

const playgroundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/playground",
  component: lazyRouteComponent(() => import("./routes/playground-route.tsx"), "PlaygroundRoute"),
});

const serverRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/server",
  validateSearch: serverSearchSchema,
  component: lazyRouteComponent(() => import("./routes/server-route.tsx"), "ServerRoute"),
});

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings",
  component: lazyRouteComponent(() => import("./routes/settings-route.tsx"), "SettingsRoute"),
});

const guideRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/guide",
  validateSearch: guideSearchSchema,
  component: lazyRouteComponent(() => import("./routes/guide-route.tsx"), "GuideRoute"),
});

/** Finds the page of an address, and stores it: an app that is opened without an address opens the last one. */
export function createAppRouter(context: RouterContext) {
  const { lastPage } = useShell.getState();
  // Home that is reloaded stays: another window may have been elsewhere last.
  if (location.pathname === "/" && lastPage !== null && !isReload()) history.replaceState(null, "", lastPage);
  const router = createRouter({
    routeTree: rootRoute.addChildren([
      homeRoute,
      buildRoute,
      batchesRoute,
      batchRoute,
      compareRoute,
      filesRoute,
      verifyRoute,
      playgroundRoute,
      serverRoute,
      settingsRoute,
      guideRoute,
    ]),
    context,
    defaultErrorComponent: FailedPage,
  });
  tellUnread(router, Object.keys(router.latestLocation.search));
  router.subscribe("onResolved", ({ toLocation }) => useShell.getState().setLastPage(toLocation.href));
  // The other pages are fetched once the first one is shown, so that going there takes no time.
  const stop = router.subscribe("onRendered", () => {
    stop();
    requestIdleCallback(() => {
      for (const route of Object.values(router.routesById)) void router.loadRouteChunk(route);
    });
  });
  return router;
}

/** A link of another version, or one that was cut, may ask for what a page can't read: more is shown than it asked for. */
function tellUnread(router: AnyRouter, asked: readonly string[]): void {
  const stop = router.subscribe("onResolved", () => {
    stop();
    const read: object = router.state.matches.at(-1)?.search ?? {};
    const unread = asked.filter((name) => !(name in read));
    if (unread.length > 0) showFailure(`This page can't read a part of its address: ${unread.join(", ")}`, withoutPart);
  });
}

const withoutPart = "The page is shown without it. Set the filter or the sort order again.";

function isReload(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation instanceof PerformanceNavigationTiming && navigation.type === "reload";
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
}
