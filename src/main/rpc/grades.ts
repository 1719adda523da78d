import type { StartGrading } from "#main/verifications";
import { os } from "./base.ts";
import { readGradeOptions } from "./grade-options.ts";
import { watchRuns } from "./watch-runs.ts";

export const grades = os.grades.router({
  get: os.grades.get.handler(({ context: { service }, input }) => service.grades.get(input.batchId)),
  options: os.grades.options.handler(({ context, input }) => readGradeOptions(context, input.batchId)),
  hasSchemas: os.grades.hasSchemas.handler(({ context: { service }, input }) =>
    service.grades.hasSchemas(input.batchId),
  ),
  start: os.grades.start.handler(async ({ context: { service, build }, input: { batchIds, grader, column } }) => {
    const starts: StartGrading[] = [];
    for (const batchId of new Set(batchIds)) {
      if (column !== null) await build.batchSources.requireColumn(batchId, column);
      const readColumn = await build.batchSources.columnReader(batchId);
      starts.push({ batchId, grader, column, ...(readColumn && { readColumn }) });
    }
    return service.grades.start(starts);
  }),
  resume: os.grades.resume.handler(async ({ context: { service, build }, input: { batchId } }) =>
    service.grades.resume(batchId, await build.batchSources.columnReader(batchId)),
  ),
  cancel: os.grades.cancel.handler(({ context: { service }, input }) => service.grades.cancel(input.batchId)),
  watch: os.grades.watch.handler(({ context: { service, machine }, signal }) =>
    watchRuns(service.grades, machine, signal),
  ),
  line: os.grades.line.handler(({ context: { service }, input }) => service.grades.line(input.batchId, input.line)),
});
