import { guessExpected } from "#contract";
import { os } from "./base.ts";
import { watchChanges } from "./watch-changes.ts";

export const grades = os.grades.router({
  get: os.grades.get.handler(({ context: { api }, input }) => api.grades.get(input.batchId)),
  options: os.grades.options.handler(async ({ context: { api, build }, input: { batchId } }) => {
    const columns = [...(await build.batchSources.columns(batchId))];
    return { columns, expectedColumn: guessExpected(columns), hasSchemas: await api.grades.hasSchemas(batchId) };
  }),
  start: os.grades.start.handler(async ({ context: { api, build }, input }) => {
    if (input.column !== null) await build.batchSources.requireColumn(input.batchId, input.column);
    const readColumn = await build.batchSources.columnReader(input.batchId);
    return api.grades.start({ ...input, ...(readColumn && { readColumn }) });
  }),
  resume: os.grades.resume.handler(async ({ context: { api, build }, input: { batchId } }) =>
    api.grades.resume(batchId, await build.batchSources.columnReader(batchId)),
  ),
  cancel: os.grades.cancel.handler(({ context: { api }, input }) => api.grades.cancel(input.batchId)),
  watch: os.grades.watch.handler(({ context: { api }, signal }) =>
    watchChanges({ subscribe: api.grades.subscribe, idOf: ({ batchId }) => batchId, toView: (run) => run }, signal),
  ),
  line: os.grades.line.handler(({ context: { api }, input }) => api.grades.line(input.batchId, input.line)),
});
