import { os } from "./base.ts";

export const results = os.results.router({
  page: os.results.page.handler(({ context, input }) =>
    context.api.results.page(input.batchId, input.offset, input.limit, input.verdict),
  ),
  line: os.results.line.handler(({ context, input }) => context.api.results.line(input.batchId, input.line)),
});
