import { os } from "./base.ts";

export const results = os.results.router({
  page: os.results.page.handler(({ context, input: { batchId, offset, limit, filter, sort, merged } }) =>
    context.api.results.page(batchId, offset, limit, filter, sort, { merged }),
  ),
  prepare: os.results.prepare.handler(({ context, input: { batchId, ...choice }, signal }) =>
    context.api.results.prepare(batchId, choice, signal),
  ),
  line: os.results.line.handler(({ context, input }) =>
    context.api.results.line(input.batchId, input.line, { merged: input.merged }),
  ),
  lines: os.results.lines.handler(({ context, input: { batchId, lines, merged } }) =>
    context.api.results.lines(batchId, lines, { merged }),
  ),
  search: os.results.search.handler(({ context, input: { batchId, text, filter }, signal }) =>
    context.api.results.search(batchId, text, filter, signal),
  ),
  findHit: os.results.findHit.handler(({ context, input: { batchId, ...wanted }, signal }) =>
    context.api.results.findHit(batchId, wanted, signal),
  ),
  numbers: os.results.numbers.handler(({ context, input: { batchId, filter, merged } }) =>
    context.api.results.numbers(batchId, filter, { merged }),
  ),
  summary: os.results.summary.handler(({ context, input: { batchId, filter, merged } }) =>
    context.api.results.summary(batchId, filter, { merged }),
  ),
});
