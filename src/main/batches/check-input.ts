import { describeUnlisted, type Problem } from "#contract";
import { createProblemTally } from "#main/requests";
import { createRequestReader, type LineIndex, type RequestLines, scanRequests } from "#main/results";
import type { BatchRecord } from "#main/storage";
import { describeDiskError, isErrno } from "#main/storage";
import type { BatchDeps } from "./deps.ts";

/** The result of the check of a batch's input file. */
type CheckedInput =
  | { readonly problems: readonly Problem[] }
  | { readonly problems: null; readonly requests: RequestLines; readonly models: readonly string[] };

/** Checks the input file of a batch. Null when the signal stopped that. Rejects when the disk refuses to read it. */
export async function validateInputFile(
  { checker, files, store, logger, engine }: Pick<BatchDeps, "checker" | "files" | "store" | "logger" | "engine">,
  { connection, endpoint, inputFileId, generatedInput: isGenerated, vendor }: BatchRecord,
  signal: AbortSignal,
  onProgress: () => void,
): Promise<CheckedInput | null> {
  try {
    if (!(await files.isSound(inputFileId))) return { problems: [damaged] };
    const { report, lineStarts, lineChecksums } = await checker.check(store.pathOf(inputFileId), {
      endpoint,
      isGenerated,
      isPassedOn: connection === null && engine.passingOn !== undefined,
      takesAnyModel: vendor !== "openai",
      signal,
      onProgress,
    });
    if (report.errorCount > 0) return { problems: report.problems };
    const requests = { starts: lineStarts, checksums: lineChecksums };
    return { problems: null, requests, models: report.models };
  } catch (error) {
    if (signal.aborted) return null;
    if (describeDiskError(error) !== null) throw error;
    logger.error("The input of a batch can't be checked", { file: inputFileId, error: String(error) });
    return { problems: [unreadable] };
  }
}

const unreadable: Problem = {
  code: "file_unreadable",
  message: "The file can't be read from disk. Upload it again.",
  param: null,
  line: null,
  severity: "error",
};

const damaged: Problem = {
  ...unreadable,
  code: "file_damaged",
  message: "The file is damaged on disk: its bytes are not those that were uploaded. Upload it again.",
};

/** The lines of a file that need not be right, or be there. */
export async function findLines(path: string): Promise<RequestLines> {
  return await scanRequests(path).catch((error: unknown) => {
    if (!isErrno(error, "ENOENT")) throw error;
    return { starts: new Float64Array(1), checksums: new Uint32Array() };
  });
}

/** The models that a service doesn't have which lists all it has. */
async function findMissingModels(
  runtime: BatchDeps["connectionRuntime"],
  connection: string | null,
  models: readonly string[],
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  if (connection === null || runtime === null) return [];
  const missing = await runtime.connections.findMissingModels(connection, models, signal);
  return missing.map((unlisted) => ({
    code: "model_not_found",
    message: describeUnlisted(unlisted, "The service"),
    param: "body.model",
    line: null,
    severity: "error",
  }));
}

/** What the service elsewhere can't do of the requests: it is reported before anything is sent. */
export async function checkForConnection(
  { connectionRuntime, store }: Pick<BatchDeps, "connectionRuntime" | "store">,
  { connection, inputFileId, direct }: BatchRecord,
  { index, models }: { readonly index: LineIndex; readonly models: readonly string[] },
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  const missing = await findMissingModels(connectionRuntime, connection, models, signal);
  if (missing.length > 0) return missing;
  const target = connection === null ? null : await connectionRuntime?.connections.open(connection, direct);
  if (target?.kind !== "remote") return [];
  const tally = createProblemTally();
  const reader = createRequestReader(store.pathOf(inputFileId), index);
  for (let line = 1; line <= index.total && !signal.aborted; line++) {
    if (reader.peek(line) === null) await reader.load(line);
    for (const problem of target.driver.check(reader.peek(line) ?? "", line)) tally.add(problem);
  }
  return tally.list();
}
