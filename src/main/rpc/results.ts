import { noSourceColumns, pictureColumn } from "#contract";
import { wholeText } from "#main/results";
import { os } from "./base.ts";
import { addSourceCells, namePictures } from "./source-cells.ts";

/** Requests that are compared to find out whether they all ask the same. */
const questionSample = 20;

export const results = os.results.router({
  page: os.results.page.handler(({ context: { service }, input: { batchId, offset, limit, filter, sort, merged } }) =>
    service.results.page(batchId, offset, limit, filter, sort, { merged }),
  ),
  rows: os.results.rows.handler(async function* ({ context: { service, build }, input, signal }) {
    const { batchId, merged, sourceColumns, ...wanted } = input;
    for await (const event of service.results.rows(batchId, wanted, { merged }, signal)) {
      yield { ...event, rows: await addSourceCells(build, batchId, sourceColumns, event.rows) };
    }
  }),
  wholeRows: os.results.wholeRows.handler(async ({ context: { service, build }, input }) => {
    const { batchId, merged, sourceColumns, ...wanted } = input;
    const rows = await service.results.wholeRows(batchId, wanted, { merged });
    return addSourceCells(build, batchId, sourceColumns, rows, wholeText);
  }),
  rowOf: os.results.rowOf.handler(({ context: { service }, input: { batchId, line, merged, ...choice } }) =>
    service.results.rowOf(batchId, line, choice, { merged }),
  ),
  answerFields: os.results.answerFields.handler(async ({ context: { service }, input: { batchId } }) => {
    const fields = await service.answerFields(batchId);
    return fields && [...fields];
  }),
  sourceColumns: os.results.sourceColumns.handler(async ({ context: { service, build }, input: { batchId } }) => {
    const known = await build.batchSources.describe(batchId);
    if (known !== null && known.inPrompt.length > 0) return known;
    const rows = await service.results.wholeRows(batchId, { offset: 0, limit: questionSample });
    const pictures = rows.some(({ picture }) => picture !== undefined) ? [pictureColumn] : [];
    const questions = new Set(rows.map(({ question }) => question));
    // The IDs of requests that were not built here are those of who wrote them.
    const others = known ?? { ...noSourceColumns, hasChosenIds: true };
    return { ...others, pictures, isQuestionShared: rows.length > 1 && questions.size === 1 };
  }),
  line: os.results.line.handler(async ({ context: { service, build }, input: { batchId, line, merged } }) =>
    namePictures(build, batchId, await service.results.line(batchId, line, { merged })),
  ),
  lines: os.results.lines.handler(({ context, input: { batchId, lines, merged } }) =>
    context.service.results.lines(batchId, lines, { merged }),
  ),
  picture: os.results.picture.handler(({ context, input: { batchId, merged, ...wanted } }) =>
    context.service.results.picture(batchId, wanted, { merged }),
  ),
  search: os.results.search.handler(({ context, input: { batchId, text, filter, merged }, signal }) =>
    context.service.results.search(batchId, text, filter, { merged }, signal),
  ),
  findHit: os.results.findHit.handler(({ context, input: { batchId, merged, ...wanted }, signal }) =>
    context.service.results.findHit(batchId, wanted, { merged }, signal),
  ),
  keepList: os.results.keepList.handler(async ({ context, input: { batchId, values } }) => ({
    id: await context.service.results.keepList(batchId, values),
  })),
  numbers: os.results.numbers.handler(({ context, input: { batchId, filter, merged } }) =>
    context.service.results.numbers(batchId, filter, { merged }),
  ),
  summary: os.results.summary.handler(({ context, input: { batchId, filter, merged } }) =>
    context.service.results.summary(batchId, filter, { merged }),
  ),
  countMisfits: os.results.countMisfits.handler(({ context, input: { batchId, merged }, signal }) =>
    context.service.results.countMisfits(batchId, { merged }, signal),
  ),
  chart: os.results.chart.handler(({ context, input: { batchId, merged, ...wanted }, signal }) =>
    context.service.results.chart(batchId, wanted, { merged }, signal),
  ),
});
