import { os } from "./base.ts";
import { watchChanges } from "./watch-changes.ts";

/** The data folder as a whole. */
export const folder = os.folder.router({
  watch: os.folder.watch.handler(({ context: { folder: care }, signal }) =>
    watchChanges(
      {
        subscribe: (listener) => care.subscribe(() => listener(care)),
        idOf: () => "folder",
        toView: (changed) => changed.state(),
        initial: care,
      },
      signal,
    ),
  ),
  check: os.folder.check.handler(({ context }) => context.folder.check()),
  backUp: os.folder.backUp.handler(({ context, input }) => context.folder.backUp(input.place)),
  repair: os.folder.repair.handler(({ context }) => context.folder.repair()),
  cancel: os.folder.cancel.handler(({ context }) => context.folder.cancel()),
  reopen: os.folder.reopen.handler(({ context }) => context.folder.reopen()),
});
