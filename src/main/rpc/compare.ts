import { os } from "./base.ts";

export const compare = os.compare.router({
  summary: os.compare.summary.handler(({ context, input }) => context.api.comparisons.summary(input)),
  page: os.compare.page.handler(({ context, input: { ids, by, ...page } }) =>
    context.api.comparisons.page({ ids, by }, page),
  ),
  line: os.compare.line.handler(({ context, input }) => context.api.comparisons.line(input.ids, input.line)),
});
