import { ServiceError } from "#main/base";
import { os } from "./base.ts";
import { watchChanges } from "./watch-changes.ts";
import { watchRequests } from "./watch-requests.ts";

export const server = os.server.router({
  get: os.server.get.handler(({ context }) => context.server.view()),
  watch: os.server.watch.handler(({ context: { server }, signal }) =>
    watchChanges(
      {
        subscribe: (listener) => server.subscribe(() => listener(server)),
        idOf: () => "server",
        toView: () => server.view(),
        initial: server,
      },
      signal,
    ),
  ),
  start: os.server.start.handler(({ context, input }) => context.server.start(input.port)),
  stop: os.server.stop.handler(({ context }) => context.server.stop()),
  enableMcp: os.server.enableMcp.handler(({ context }) => context.server.enableMcp()),
  disableMcp: os.server.disableMcp.handler(({ context }) => context.server.disableMcp()),
  reveal: os.server.reveal.handler(async ({ context, input }) => ({ value: await context.server.reveal(input.name) })),
  rotate: os.server.rotate.handler(({ context, input }) => context.server.rotate(input.name)),
  change: os.server.change.handler(({ context, input }) => context.server.change(input)),
  turnClock: os.server.turnClock.handler(({ context, input }) => context.server.turnClock(input.milliseconds)),
  rules: os.server.rules.handler(({ context }) => ({ text: context.server.rules.rules() })),
  checkRules: os.server.checkRules.handler(({ context, input }) => context.server.rules.checkRules(input.text)),
  setRules: os.server.setRules.handler(async ({ context, input }) => ({
    problems: await context.server.setRules(input.text),
  })),
  watchRequests: os.server.watchRequests.handler(({ context, signal }) =>
    watchRequests(context.server.requests, context.machine, signal),
  ),
  request: os.server.request.handler(({ context, input }) => {
    const found = context.server.requests.find(input.id);
    if (found === undefined) throw new ServiceError("not_found", "This request is no longer kept.", "id");
    return found;
  }),
  clearRequests: os.server.clearRequests.handler(({ context }) => {
    context.server.requests.clear();
    return {};
  }),
});
