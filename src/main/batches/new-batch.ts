import { batchEndpoint, batchEndpoints, completionWindow } from "#contract";
import { quote, ServiceError, shorten } from "#main/base";
import type { BatchRecord, FileRecord } from "#main/storage";
import type { CreateBatch } from "./deps.ts";
import { belongsTo, defaultOwner } from "./owner.ts";

/** 24 hours, in milliseconds. */
const windowLength = 24 * 60 * 60_000;

/** The input file. Refuses what no batch can be made from (docs/spec/decisions.md, HTTP errors). */
export function validateCreate(input: CreateBatch, file: FileRecord | undefined): FileRecord {
  const endpoints: readonly string[] = input.connection ? [batchEndpoint] : batchEndpoints;
  if (!endpoints.includes(input.endpoint)) {
    const supported = endpoints.map((endpoint) => `'${endpoint}'`).join(", ");
    const message = `Unsupported endpoint ${quote(input.endpoint)}. Supported: ${supported}.`;
    throw new ServiceError("invalid_value", message, "endpoint");
  }
  if (input.completionWindow !== completionWindow) {
    const message = `Unsupported completion window ${quote(input.completionWindow)}. Supported: '${completionWindow}'.`;
    throw new ServiceError("invalid_value", message, "completion_window");
  }
  if (file === undefined || (!input.connection && !belongsTo(file, input.owner))) {
    throw new ServiceError("not_found", `No such file: ${shorten(input.inputFileId)}.`, "input_file_id");
  }
  if (file.purpose !== "batch") {
    const message = `File ${file.id} has the purpose '${file.purpose}'. Supported: 'batch'.`;
    throw new ServiceError("invalid_value", message, "input_file_id");
  }
  return file;
}

/** The record that a batch begins with; `created` in Unix milliseconds of its clock. */
export function toNewRecord(
  input: CreateBatch,
  file: FileRecord,
  {
    id,
    created,
    mayCost,
    connectionName,
  }: Pick<BatchRecord, "id" | "mayCost" | "connectionName"> & { created: number },
): BatchRecord {
  const { scope, vendor } = input.owner ?? defaultOwner;
  return {
    id,
    endpoint: input.endpoint,
    completionWindow: input.completionWindow,
    inputFileId: file.id,
    generatedInput: input.allowsGenerated === true && file.generated,
    outputFileId: null,
    errorFileId: null,
    status: "validating",
    endedBy: null,
    times: { ...noTimes, created, expires: created + windowLength },
    counts: { total: input.total ?? 0, completed: 0, failed: 0 },
    ends: null,
    metadata: { ...input.metadata },
    models: [],
    problems: [],
    pace: null,
    deletedAt: null,
    connection: input.connection ?? null,
    connectionName,
    prices: null,
    remote: null,
    mayCost,
    unclear: false,
    waiting: null,
    notice: input.notice ?? null,
    direct: input.direct ?? false,
    deadline: null,
    restAsked: false,
    reuse: input.reuse ?? false,
    reused: null,
    onceIdentical: input.onceIdentical ?? false,
    copied: null,
    answeredAs: null,
    answerFields: null,
    damaged: null,
    outcome: input.outcome ?? null,
    lineTries: null,
    usage: null,
    outputLifetime: input.outputLifetime ?? null,
    link: input.link ?? null,
    scope,
    vendor,
  };
}

const noTimes = {
  inProgress: null,
  finalizing: null,
  completed: null,
  failed: null,
  expired: null,
  cancelling: null,
  cancelled: null,
};
