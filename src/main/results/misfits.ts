import { type Misfit, type ResultRow, uncheckedMisfit } from "#contract";
import { schemaOf } from "#main/judging";
import { isForSchema } from "./broken-answers.ts";
import type { ResultLine } from "./join-line.ts";
import type { SearchClient } from "./search-worker.ts";

/** A line's request as text, and what is read of it and its answer. */
interface CheckedLine {
  readonly request: string;
  readonly line: Pick<ResultLine, "state" | "answer" | "calls">;
}

/** Where answers break the schemas of their requests, in the order of the lines; none of what is no answer. */
export async function findMisfits(
  thread: { client(): Pick<SearchClient, "findMisfits"> },
  lines: readonly CheckedLine[],
): Promise<readonly (readonly Misfit[])[]> {
  const asked = lines.map(({ request, line }) => {
    const schema = isForSchema(line) ? schemaOf(request) : null;
    return schema === null ? null : { answer: line.answer, schema };
  });
  const withSchema = asked.filter((one) => one !== null);
  if (withSchema.length === 0) return lines.map(() => []);
  // With a schema that the thread can't bear, the rows come all the same, and say that they were not checked.
  const found = await thread
    .client()
    .findMisfits(withSchema)
    .catch(() => withSchema.map(() => [uncheckedMisfit]));
  let next = 0;
  return asked.map((one) => (one === null ? [] : (found[next++] ?? [])));
}

/** A row, marked where its answer breaks its schema. */
export function addMisfits<Row extends Pick<ResultRow, "misfits">>(row: Row, misfits: readonly Misfit[] = []): Row {
  return misfits.length === 0 ? row : { ...row, misfits: [...misfits] };
}
