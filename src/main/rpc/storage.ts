import { os } from "./base.ts";

/** What the data folder holds. */
export const storage = os.storage.router({
  measure: os.storage.measure.handler(({ context }) => context.storage.measure()),
  clean: os.storage.clean.handler(({ context, input }) => context.storage.clean(input.what)),
  retention: os.storage.retention.handler(({ context }) => context.storage.retention()),
  planRetention: os.storage.planRetention.handler(({ context, input }) => context.storage.planRetention(input)),
  setRetention: os.storage.setRetention.handler(({ context, input }) => context.storage.setRetention(input)),
  confirmClock: os.storage.confirmClock.handler(({ context }) => context.storage.confirmClock()),
});
