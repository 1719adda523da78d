import { finalStatuses } from "#contract";
import { createQueue } from "#main/base";
import type { StoredFolder } from "#main/storage";
import { pathsOf } from "./batch-paths.ts";
import { columnFileOf } from "./column-file.ts";
import { listKnownLines } from "./known-lines.ts";
import type { LineIndex } from "./line-index.ts";
import type { LineView, ViewPart } from "./line-views.ts";
import type { SearchThread } from "./searches.ts";

interface Checking {
  readonly report: (bytes: number, size: number) => void;
  readonly signal: AbortSignal;
}

/** Finds answers that break the JSON schemas of their requests. Each answer is checked once, in the search thread. */
export interface SchemaChecks {
  /** The lines of a view whose answers break their schemas, as they are found. */
  find(view: LineView, onFound: (line: number) => void, checking: Checking): Promise<void>;
}

/** What is known of the output file of a batch. */
interface CheckedFile {
  /** Where the checked answers end. */
  end: number;
  /** False once it is known that no request of the batch has a schema. */
  hasSchemas: boolean;
  /** The answers that break their schemas: where each starts, and its line. */
  readonly broken: { readonly start: number; readonly line: number }[];
  readonly inTurn: ReturnType<typeof createQueue>;
}

/** The column of a batch in which they are kept; another number for another way to check. */
const columnName = "answer breaks_schema 1";

export function createSchemaChecks(thread: SearchThread, store: StoredFolder): SchemaChecks {
  const files = new WeakMap<LineIndex, CheckedFile>();

  function fileOf(index: LineIndex): CheckedFile {
    const file = files.get(index) ?? { end: 0, hasSchemas: true, broken: [], inTurn: createQueue() };
    files.set(index, file);
    return file;
  }

  async function checkPart(part: ViewPart, onFound: (line: number) => void, { report, signal }: Checking) {
    const { batch, index, lineOf } = part;
    const paths = pathsOf(batch, store);
    const { output: path } = paths;
    if (path === null) return;
    const file = fileOf(index);
    await file.inTurn(async () => {
      if (!file.hasSchemas) return;
      const tell = (own: number) => {
        const line = lineOf(own);
        if (line > 0) onFound(line);
      };
      for (const { start, line } of file.broken) {
        const answer = index.answer(line);
        // Another answer may have taken its place.
        if (answer?.file === "output" && answer.start === start && !answer.damaged) tell(line);
      }
      const { lineAt, ...output } = listKnownLines(index.columns, "output", file.end);
      if (output.starts.length === 0) return;
      // Sending the arrays to the thread takes them away here.
      const end = (output.starts.at(-1) ?? 0) + (output.lengths.at(-1) ?? 0);
      // While more answers may come, nothing is kept on disk.
      const isWhole = file.end === 0 && finalStatuses.has(batch.status);
      // A function can't be sent to the thread.
      const { lineAt: _, ...requests } = listKnownLines(index.columns, "input");
      const found = await thread.client().matchBroken(
        {
          input: { path: paths.input, known: requests },
          output: { path, known: output },
          column: { name: columnName, file: isWhole ? columnFileOf(paths.index, columnName) : null },
        },
        { signal },
      );
      const broken: typeof file.broken = [];
      for await (const { places, bytes, size, hasSchemas } of found) {
        for (const start of places) {
          const line = lineAt(start);
          broken.push({ start, line });
          tell(line);
        }
        report(bytes, size);
        file.hasSchemas &&= hasSchemas;
      }
      for (const one of broken) file.broken.push(one);
      file.end = end;
    });
  }

  return {
    async find({ parts }, onFound, checking) {
      for (const part of parts) await checkPart(part, onFound, checking);
    },
  };
}
