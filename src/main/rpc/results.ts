import { type ResultRow, sourcePrefix } from "#contract";
import { os } from "./base.ts";

export const results = os.results.router({
  page: os.results.page.handler(({ context: { service }, input: { batchId, offset, limit, filter, sort, merged } }) =>
    service.results.page(batchId, offset, limit, filter, sort, { merged }),
  ),
  rows: os.results.rows.handler(async function* ({ context: { service, build }, input, signal }) {
    const { batchId, merged, sourceColumns = [], ...wanted } = input;
    for await (const event of service.results.rows(batchId, wanted, { merged }, signal)) {
      const lines = event.rows.map(({ line }) => line);
      const cells = sourceColumns.length === 0 ? [] : await build.batchSources.cells(batchId, sourceColumns, lines);
      yield { ...event, rows: event.rows.map((row, at) => addCells(row, sourceColumns, cells[at] ?? [])) };
    }
  }),
  answerFields: os.results.answerFields.handler(async ({ context: { service }, input: { batchId } }) => {
    const fields = await service.answerFields(batchId);
    return fields && [...fields];
  }),
  sourceColumns: os.results.sourceColumns.handler(async ({ context, input }) => [
    ...(await context.build.batchSources.columns(input.batchId)),
  ]),
  line: os.results.line.handler(({ context, input }) =>
    context.service.results.line(input.batchId, input.line, { merged: input.merged }),
  ),
  lines: os.results.lines.handler(({ context, input: { batchId, lines, merged } }) =>
    context.service.results.lines(batchId, lines, { merged }),
  ),
  search: os.results.search.handler(({ context, input: { batchId, text, filter, merged }, signal }) =>
    context.service.results.search(batchId, text, filter, { merged }, signal),
  ),
  findHit: os.results.findHit.handler(({ context, input: { batchId, merged, ...wanted }, signal }) =>
    context.service.results.findHit(batchId, wanted, { merged }, signal),
  ),
  numbers: os.results.numbers.handler(({ context, input: { batchId, filter, merged } }) =>
    context.service.results.numbers(batchId, filter, { merged }),
  ),
  summary: os.results.summary.handler(({ context, input: { batchId, filter, merged } }) =>
    context.service.results.summary(batchId, filter, { merged }),
  ),
  chart: os.results.chart.handler(({ context, input: { batchId, merged, ...wanted }, signal }) =>
    context.service.results.chart(batchId, wanted, { merged }, signal),
  ),
});

/** Most characters of a cell in a row of the table. */
const longestCell = 300;

function addCells(row: ResultRow, columns: readonly string[], cells: readonly string[]): ResultRow {
  const found = columns.map((column, at) => [
    `${sourcePrefix}${column}`,
    cells[at]?.slice(0, longestCell).toWellFormed() ?? "",
  ]);
  return { ...row, values: { ...row.values, ...Object.fromEntries(found) } };
}
