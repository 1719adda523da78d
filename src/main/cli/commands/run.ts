import { batchEndpoint, completionWindow } from "#contract";
import { ServiceError } from "#main/base";
import type { Service } from "#main/service";
import type { FileRecord } from "#main/storage";
import { type AnswerWriter, createAnswerWriter } from "../answer-writer.ts";
import type { RunFlags } from "../batch-flags.ts";
import { countMisfits, reportOutcome, reportProblems } from "../batch-report.ts";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import type { CommandProcess } from "../command-process.ts";
import { refuseOverwriting, refuseSharedOutput } from "../input-file.ts";
import { type InputRows, openInputRows } from "../input-rows.ts";
import { followBatch } from "../jobs/follow-batch.ts";
import { withService } from "../open-service.ts";
import { withCleanUp } from "../temporary-folder.ts";

/** `sheaf run FILE -o OUT`: a whole batch in this process, without a server. */
export async function run(file: string, flags: RunFlags, io: CommandProcess): Promise<ExitCode> {
  const { connection, dryRun, reuse, deadline } = flags;
  const ofConnections = { "--dry-run": dryRun, "--reuse": reuse, "--deadline": deadline !== undefined };
  const needing = Object.entries(ofConnections).find(([, isGiven]) => isGiven)?.[0];
  if (needing !== undefined && connection === undefined) {
    throw new CliError(`${needing} needs --connection.`, exitCodes.unusable);
  }
  const input = await openInputRows(file, flags, io);
  try {
    if (!dryRun || connection === undefined) return await runInput(input, flags, io);
    const { planOnConnection } = await import("./dry-run.ts");
    return await withCleanUp(io, async (onStop) => {
      onStop(input.discard);
      return await planOnConnection(input, connection, flags, io);
    });
  } finally {
    await input.discard();
  }
}

async function runInput(input: InputRows, flags: RunFlags, io: CommandProcess): Promise<ExitCode> {
  const { output = "-", errors, json } = flags;
  refuseSharedOutput(json, [output, errors]);
  const targets = errors === undefined ? [output] : [output, errors];
  await refuseOverwriting(input.file, targets);
  const writer = await createAnswerWriter({ output, errors }, io);
  try {
    if (flags.connection !== undefined) {
      const { runOnConnection } = await import("./run-on-connection.ts");
      return await runOnConnection(input, flags.connection, flags, writer, io);
    }
    return await withService(
      flags,
      io,
      (service) => runWith({ service, writer, io }, input, flags),
      async () => {
        await Promise.all([writer.discard(), input.discard()]);
      },
    );
  } finally {
    await writer.discard();
  }
}

/** Ctrl+C ends the command with its service. */
const neverStopped = new AbortController().signal;

interface Running {
  readonly service: Service;
  readonly writer: AnswerWriter;
  readonly io: CommandProcess;
}

async function runWith({ service, writer, io }: Running, input: InputRows, flags: RunFlags): Promise<ExitCode> {
  const start = io.machine.monotonic();
  const stored = await takeFile(service, input);
  if (stored === undefined) return reportProblems(input, (await service.validateFile(input.path)).problems, flags, io);
  const { id } = await service.batches.create({ inputFileId: stored.id, endpoint: batchEndpoint, completionWindow });
  const batch = await followBatch({ service, connection: null, stopped: neverStopped }, id, { silent: flags.json }, io);
  if (batch.status === "failed") return reportProblems(input, batch.problems, flags, io);
  const { counts, ends } = batch;
  let damaged = 0;
  await writer.writeAll(
    service.results.exportLines(batch.id, {}, undefined, () => {
      damaged += 1;
    }),
  );
  const misfits = await countMisfits(service, batch, io);
  const took = io.machine.monotonic() - start;
  const outcome = { ...counts, completed: counts.completed - damaged, ends: ends ?? {}, misfits, damaged, took };
  return reportOutcome(outcome, flags, io);
}

/** Uploads the rows to the service; undefined when they are too large for it. */
async function takeFile(service: Service, input: InputRows): Promise<FileRecord | undefined> {
  try {
    const pending = await service.files.receive(input.read());
    return await pending.store({ filename: input.name, purpose: "batch" });
  } catch (error) {
    if (error instanceof ServiceError && error.code === "file_too_large") return undefined;
    throw error;
  }
}
