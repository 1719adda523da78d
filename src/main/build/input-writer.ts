import { randomUUID } from "node:crypto";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type BuildInput,
  type CheckProgress,
  formatCount,
  type Problem,
  type RequestTemplate,
  type Rows,
  type Span,
} from "#contract";
import { removeFiles } from "#main/storage";
import type { BuildThread } from "./build-thread.ts";
import { BuildError } from "./errors.ts";
import type { PassRules, WriteProgress, WriteResult } from "./rendering/render-rows.ts";
import type { SourceStore } from "./sources/source-store.ts";
import type { StoredSource } from "./sources/stored-source.ts";

/** The name of a rendered file, which is stored here until it is used. */
const renderedName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/;

export interface InputWriterDeps {
  /** The folder of rendered files until they are used. */
  readonly folder: string;
  readonly sources: Pick<SourceStore, "open">;
  readonly worker: BuildThread;
  readonly rulesFor: (template: RequestTemplate, source: StoredSource) => Promise<PassRules>;
  readonly check: (input: BuildInput, signal?: AbortSignal) => AsyncGenerator<CheckProgress>;
}

export interface WriteStep {
  readonly done: number;
  readonly total: number;
  /** Set with the last step. `remove` deletes the file that was written. */
  readonly file: PreparedFile | null;
}

export interface PreparedFile {
  readonly path: string;
  readonly lines: number;
  /** The rows of the source that became its lines, in their order. */
  readonly written: readonly Span[];
  remove(): Promise<void>;
}

/** Whether the source itself is the batch input file: no row is left out, and no line was changed. */
export function isSentAsItIs(
  { holds, edits, replacements }: Pick<StoredSource, "holds" | "edits" | "replacements">,
  rows: Rows | undefined,
): boolean {
  const isEdited = Object.keys(edits).length + replacements.length > 0;
  return holds === "requests" && !isEdited && (rows === undefined || (rows.take === "all" && !rows.skipFaulty));
}

/** Writes batch input files: those that are submitted, and those that are exported. */
export interface InputWriter {
  /** Prepares a file that can be run. Refuses one that the service would not run. */
  prepare(input: BuildInput, signal?: AbortSignal): AsyncGenerator<WriteStep>;
  /** Writes the file to `target`, problems or not; refuses only where a row can't become a line. Returns the lines' number. */
  writeTo(input: BuildInput, target: string): Promise<number>;
  tidy(): Promise<void>;
}

function describeFirst({ line, message }: Problem): string {
  return line === null ? message : `The first is on line ${line}: ${message}`;
}

function refuseErrors(errorCount: number, first: Problem | null): void {
  if (errorCount === 0) return;
  const found = `${formatCount(errorCount, "problem keeps", "problems keep")} this batch from running.`;
  throw new BuildError("refused", first === null ? found : `${found} ${describeFirst(first)}`);
}

function refuseGaps({ lines, leftOut, errorCount, firstError }: WriteResult): void {
  if (leftOut === 0 && (lines > 0 || errorCount === 0)) return;
  const found =
    leftOut === 0 ? "No request can be made yet." : `${formatCount(leftOut, "row")} can't be made a request.`;
  throw new BuildError("refused", firstError === null ? found : `${found} ${describeFirst(firstError)}`);
}

export function createInputWriter({ folder, sources, worker, rulesFor, check }: InputWriterDeps): InputWriter {
  async function* render({ sourceId, ...input }: BuildInput, target: string): AsyncGenerator<WriteProgress> {
    const { path, source } = await sources.open(sourceId);
    yield* await worker.client().write({ path, source, ...input, ...(await rulesFor(input.template, source)), target });
  }

  async function* prepareRows(input: BuildInput): AsyncGenerator<WriteStep> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, `${randomUUID()}.jsonl`);
    const remove = () => rm(path, { force: true });
    let ready = false;
    try {
      for await (const { done, total, result } of render(input, path)) {
        if (result === null) {
          yield { done, total, file: null };
          continue;
        }
        if (result.blocked) refuseErrors(result.errorCount, result.firstError);
        ready = true;
        yield { done, total, file: { path, lines: result.lines, written: result.written, remove } };
      }
    } finally {
      if (!ready) await remove();
    }
  }

  async function* prepareRequests(input: BuildInput, path: string, signal?: AbortSignal): AsyncGenerator<WriteStep> {
    for await (const { done, total, finished, errorCount, groups } of check(input, signal)) {
      if (finished) {
        const first = groups.flatMap((group) => group.first).find(({ severity }) => severity === "error");
        refuseErrors(errorCount, first ?? null);
      }
      const file: PreparedFile = { path, lines: total, written: [[1, total]], remove: async () => undefined };
      yield { done, total, file: finished ? file : null };
    }
  }

  return {
    async *prepare(input, signal) {
      const { path, source } = await sources.open(input.sourceId);
      yield* isSentAsItIs(source, input.rows) ? prepareRequests(input, path, signal) : prepareRows(input);
    },
    async writeTo(input, target) {
      const { path, source } = await sources.open(input.sourceId);
      if (isSentAsItIs(source, input.rows)) {
        await copyFile(path, target);
        return source.rowCount;
      }
      let lines = 0;
      for await (const { result } of render(input, target)) {
        if (result === null) continue;
        refuseGaps(result);
        lines = result.lines;
      }
      return lines;
    },
    tidy: () => removeFiles(folder, renderedName),
  };
}
