import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { batchEndpoint, completionWindow, type Problem } from "#contract";
import { type BatchRecord, type FileRecord, type Service, ServiceError } from "#service";
import { type AtomicFile, createAtomicFile } from "../atomic-file.ts";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, print, printError } from "../command-process.ts";
import type { RunFlags } from "../flags.ts";
import { checkInputFile, refuseOverwriting } from "../input-file.ts";
import { withService } from "../open-service.ts";
import { formatCount, formatProblem, formatSeconds, summarizeProblems } from "../phrases.ts";
import { createProgress, type ProgressOptions } from "../progress.ts";

/** `sheaf run FILE -o OUT`: a whole batch in this process, without a server. */
export async function run(file: string, flags: RunFlags, io: CommandProcess): Promise<ExitCode> {
  await checkInputFile(file);
  await refuseOverwriting(file, flags.errors === undefined ? [flags.output] : [flags.output, flags.errors]);
  const writer = await createAnswerWriter(flags);
  try {
    if (flags.connection !== undefined) return await runElsewhere(file, flags.connection, { writer, io }, flags);
    return await withService(flags, io, (service) => runWith({ service, writer, io }, file, flags), writer.discard);
  } finally {
    await writer.discard();
  }
}

/** The same on a connection, in a job that goes on when the command is given again. */
async function runElsewhere(
  file: string,
  name: string,
  { writer, io }: Omit<Running, "service">,
  flags: RunFlags,
): Promise<ExitCode> {
  const start = performance.now();
  let exitCode: ExitCode = exitCodes.failed;
  const { runOnConnection, sumCost } = await import("./run-on-connection.ts");
  await runOnConnection(file, name, flags, io, async (job) => {
    const { service, batch, connection, wasStopped } = job;
    if (batch.status === "failed") {
      exitCode = reportProblems(file, batch.problems, flags, io);
    } else if (wasStopped) {
      const { completed, failed, total } = batch.counts;
      printError(
        `Stopped: ${completed + failed} of ${formatCount(total, "request")} done. The same command goes on.`,
        io,
      );
    } else {
      await writer.writeAll(service.results.exportLines(batch.id));
      const about = { id: batch.id, connection: connection.name, cost: await sumCost(job) };
      exitCode = reportCounts(batch, flags, performance.now() - start, io, about);
    }
  });
  return exitCode;
}

interface Running {
  readonly service: Service;
  readonly writer: AnswerWriter;
  readonly io: CommandProcess;
}

async function runWith({ service, writer, io }: Running, file: string, flags: RunFlags): Promise<ExitCode> {
  const start = performance.now();
  const input = await takeFile(service, file);
  if (input === undefined) return reportProblems(file, (await service.validateFile(file)).problems, flags, io);
  const batch = await runBatch(service, input, { silent: flags.json, stream: io.stderr });
  if (batch.status === "failed") return reportProblems(file, batch.problems, flags, io);
  await writer.writeAll(service.results.exportLines(batch.id));
  return reportCounts(batch, flags, performance.now() - start, io);
}

/** Hands the file to the service as an upload would; undefined when it is too large to be taken. */
async function takeFile(service: Service, file: string): Promise<FileRecord | undefined> {
  try {
    const pending = await service.files.receive(createReadStream(file));
    return await pending.store({ filename: basename(file), purpose: "batch" });
  } catch (error) {
    if (error instanceof ServiceError && error.code === "file_too_large") return undefined;
    throw error;
  }
}

async function runBatch(
  service: Service,
  input: FileRecord,
  output: Pick<ProgressOptions, "silent" | "stream">,
): Promise<BatchRecord> {
  const batch = await service.batches.create({ inputFileId: input.id, endpoint: batchEndpoint, completionWindow });
  const progress = createProgress({
    label: "Running",
    phrase: (done, total) => `${done.toLocaleString("en")} of ${formatCount(total, "request")}`,
    ...output,
  });
  const unsubscribe = service.batches.subscribe(({ id, counts }) => {
    if (id === batch.id && counts.total > 0) progress.update(counts.completed + counts.failed, counts.total);
  });
  try {
    return await service.batches.settled(batch.id);
  } finally {
    unsubscribe();
    progress.stop();
  }
}

function reportProblems(file: string, problems: readonly Problem[], { json }: RunFlags, io: CommandProcess): ExitCode {
  if (json) {
    print(JSON.stringify({ file, valid: false, problems }), io);
  } else {
    for (const problem of problems) printError(formatProblem(file, problem), io);
    printError(`${file}: ${summarizeProblems(problems)}; nothing was run.`, io);
  }
  return exitCodes.unusable;
}

/** What is said besides of a job on a connection. */
interface JobFacts {
  readonly id: string;
  readonly connection: string;
  /** In US dollars; null where it is not known. */
  readonly cost: number | null;
}

function reportCounts(
  { counts }: BatchRecord,
  flags: RunFlags,
  took: number,
  io: CommandProcess,
  facts?: JobFacts,
): ExitCode {
  const { total, completed, failed } = counts;
  const neverRan = total - completed - failed;
  if (flags.json) {
    const { output, errors = null } = flags;
    print(
      JSON.stringify({
        valid: true,
        total,
        completed,
        failed,
        output,
        errors,
        seconds: took / 1_000,
        ...(facts && { ...facts, never_ran: neverRan }),
      }),
      io,
    );
  } else {
    const failures =
      failed === 0 ? "" : `, ${failed.toLocaleString("en")} failed (see ${flags.errors ?? flags.output})`;
    const answered = `${completed.toLocaleString("en")} of ${formatCount(total, "request")} answered`;
    const cost = facts?.cost == null ? "" : ` for $${facts.cost.toFixed(2)}`;
    printError(`${flags.output}: ${answered}${failures} in ${formatSeconds(took)}${cost}.`, io);
  }
  return failed + neverRan === 0 ? exitCodes.ok : exitCodes.failed;
}

interface AnswerWriter {
  /** Writes all lines of a batch, each with its line end, and puts the files in their places. */
  writeAll(lines: AsyncIterable<Uint8Array>): Promise<void>;
  /** Leaves nothing behind of what is not in its place yet. */
  discard(): Promise<void>;
}

const answeredSchema = z.object({ response: z.object({ status_code: z.literal(200) }) });

/**
 * Opens the files for the answers of a batch. With `errors`, the lines of requests that failed go there; without,
 * every line goes to `output`.
 */
async function createAnswerWriter(paths: { output: string; errors?: string | undefined }): Promise<AnswerWriter> {
  const files: AtomicFile[] = [];
  const discard = async () => {
    for (const file of files) await file.discard();
  };
  const open = async (path: string) => {
    const file = await createAtomicFile(path);
    files.push(file);
    return file;
  };
  try {
    const output = await open(paths.output);
    const errors = paths.errors === undefined ? undefined : await open(paths.errors);
    return {
      async writeAll(lines) {
        for await (const line of lines) {
          await (errors !== undefined && !isAnswered(line) ? errors : output).write(line);
        }
        for (const file of files) await file.commit();
      },
      discard,
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

function isAnswered(line: Uint8Array): boolean {
  return answeredSchema.safeParse(JSON.parse(Buffer.from(line).toString("utf8"))).success;
}
