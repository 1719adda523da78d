import { os } from "./base.ts";

/** What the data folder holds. */
export const storage = os.storage.router({
  measure: os.storage.measure.handler(({ context }) => context.storage.measure()),
  clean: os.storage.clean.handler(({ context, input }) => context.storage.clean(input.what)),
});
