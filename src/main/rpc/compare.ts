import { os } from "./base.ts";

export const compare = os.compare.router({
  summary: os.compare.summary.handler(({ context, input }) => context.service.comparisons.summary(input)),
  page: os.compare.page.handler(({ context, input: { ids, by, ...page } }) =>
    context.service.comparisons.page({ ids, by }, page),
  ),
  line: os.compare.line.handler(({ context, input }) => context.service.comparisons.line(input.ids, input.line)),
});
