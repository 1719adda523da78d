import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import { batchesSearchSchema, batchSearchSchema } from "../features/batches/index.ts";
import { useFrame } from "../state/index.ts";
import { Frame } from "./frame/frame.tsx";
import { BatchRoute } from "./routes/batch-route.tsx";
import { BatchesRoute } from "./routes/batches-route.tsx";
import { BuildRoute } from "./routes/build-route.tsx";
import { FailedPlace } from "./routes/failed-place.tsx";
import { NotFoundPlace } from "./routes/not-found-place.tsx";
import { ServerRoute } from "./routes/server-route.tsx";
import { VerifyRoute } from "./routes/verify-route.tsx";

const rootRoute = createRootRoute({ component: Frame, notFoundComponent: NotFoundPlace });

/** Starts where the app was left. */
const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ href: useFrame.getState().lastPlace ?? "/batches", replace: true });
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
  defaultErrorComponent: FailedPlace,
});

router.subscribe("onResolved", ({ toLocation }) => useFrame.getState().rememberPlace(toLocation.href));

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
