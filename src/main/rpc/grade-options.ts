import { finalStatuses, type Gradable, type GradeOptions } from "#contract";
import { nameOf } from "#main/batches";
import { type GradingGuess, loadGraders, type SampleLine } from "#main/judging";
import type { ReadColumn } from "#main/results";
import type { BatchRecord } from "#main/storage";
import type { RpcContext } from "./base.ts";

/** Answered lines that the columns of the table are compared with. */
const sampleLines = 200;
/** Rows that are read to see how many different values a column has. */
const mostRead = 10_000;

type Context = Pick<RpcContext, "service" | "build">;

/** What a batch can be graded by, with what is chosen beforehand, and which batches can be graded with it. */
export async function readGradeOptions(context: Context, batchId: string): Promise<GradeOptions> {
  const { build } = context;
  const columns = [...(await build.batchSources.columns(batchId))];
  const sample = await readSample(context, batchId, columns);
  const { grader, column, path, paths, columnPaths } = await guess(context, batchId, columns, sample);
  const batches = await Promise.all(listGroup(context, batchId).map((batch) => toGradable(context, batch)));
  return { grader, columns, expectedColumn: column, answerPath: path, columnPaths, paths: [...paths], batches };
}

async function readSample(
  { service, build }: Context,
  batchId: string,
  columns: readonly string[],
): Promise<SampleLine[]> {
  const lines = (await service.results.numbers(batchId, { states: ["answered"] })).slice(0, sampleLines);
  const details = await service.results.lines(batchId, lines);
  const cells = await build.batchSources.cells(batchId, columns, lines);
  return details.map(({ answer }, at) => ({ answer, cells: cells[at] ?? [] }));
}

/** A column that is found by its values is not a part of the requests, and has few different values. */
async function guess(
  { build: { batchSources } }: Context,
  batchId: string,
  columns: readonly string[],
  sample: readonly SampleLine[],
): Promise<GradingGuess> {
  const { collectLabels, guessGrading } = await loadGraders();
  let candidates = await batchSources.unusedColumns(batchId);
  const readColumn = await batchSources.columnReader(batchId);
  for (;;) {
    const guessed = guessGrading({ columns, sample, candidates });
    const { column } = guessed;
    if (column === null || !candidates.includes(column) || readColumn === undefined) return guessed;
    const { labels, items } = await collectLabels(readFirst(readColumn(column, 1)), { name: "json" });
    if (labels !== null || items !== null) return guessed;
    candidates = candidates.filter((other) => other !== column);
  }
}

/** Enough cells to see how many different ones there are, while a dialog opens. */
async function* readFirst(cells: ReturnType<ReadColumn>): ReturnType<ReadColumn> {
  let count = 0;
  for await (const some of cells) {
    yield some;
    count += some.length;
    if (count >= mostRead) return;
  }
}

/** The batch, the other versions of its prompt, and the retries of each, in the order in which they were made. */
function listGroup({ service }: Context, batchId: string): BatchRecord[] {
  const all = service.batches.list({ limit: Number.POSITIVE_INFINITY }).batches.toReversed();
  const rootOf = (id: string, kind: "retry" | "version") => {
    const link = service.batches.get(id)?.link;
    return link?.kind === kind ? link.root : id;
  };
  const firstOf = (id: string) => rootOf(rootOf(id, "retry"), "version");
  const group = all.filter(({ id }) => firstOf(id) === firstOf(batchId));
  return [...Map.groupBy(group, ({ id }) => rootOf(id, "retry")).values()].flat();
}

async function toGradable({ service }: Context, batch: BatchRecord): Promise<Gradable> {
  const run = await service.grades.get(batch.id);
  const { id: batchId, counts, status } = batch;
  const problem = service.batches.isReadOnly(batchId)
    ? "It is a job of the command line."
    : !finalStatuses.has(status)
      ? "It still runs."
      : counts.completed === 0
        ? "It has no answer."
        : run?.state === "running"
          ? "It is being graded."
          : null;
  return { batchId, name: nameOf(batch, service), answers: counts.completed, isGraded: run !== null, problem };
}
