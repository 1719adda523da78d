import { os } from "./base.ts";
import { addSourceCells, namePictures } from "./source-cells.ts";

export const compare = os.compare.router({
  summary: os.compare.summary.handler(({ context, input }) => context.service.comparisons.summary(input)),
  page: os.compare.page.handler(async ({ context, input: { ids, by, sourceColumns, ...page } }) => {
    const { total, rows } = await context.service.comparisons.page({ ids, by }, page);
    return { total, rows: await addSourceCells(context.build, ids[0] ?? "", sourceColumns, rows) };
  }),
  rowOf: os.compare.rowOf.handler(({ context, input: { filter, line, ...compared } }) =>
    context.service.comparisons.rowOf(compared, filter, line),
  ),
  line: os.compare.line.handler(async ({ context: { service, build }, input: { ids, line } }) => {
    const [first, ...others] = await service.comparisons.line(ids, line);
    return first === undefined ? [] : [await namePictures(build, ids[0] ?? "", first), ...others];
  }),
});
