import { os } from "./base.ts";
import { watchChanges } from "./watch-changes.ts";

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
});
