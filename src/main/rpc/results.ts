import { os } from "./base.ts";

export const results = os.results.router({
  page: os.results.page.handler(({ context, input: { batchId, offset, limit, filter, sort } }) =>
    context.api.results.page(batchId, offset, limit, filter, sort),
  ),
  line: os.results.line.handler(({ context, input }) => context.api.results.line(input.batchId, input.line)),
});
