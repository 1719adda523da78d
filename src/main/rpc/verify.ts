import { os } from "./base.ts";

export const verify = os.verify.router({
  check: os.verify.check.handler(({ context, input: { judge, model, preset, ...input }, signal }) =>
    context.verify.check(input, { judge, model, preset }, signal),
  ),
  history: os.verify.history.handler(({ context }) => context.verify.history()),
  get: os.verify.get.handler(({ context, input }) => context.verify.get(input.id)),
  clearHistory: os.verify.clearHistory.handler(({ context }) => context.verify.clearHistory()),
});
