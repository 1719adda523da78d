import { implement, ORPCError } from "@orpc/server";
import {
  type AppInfo,
  type BatchQuality,
  type BundledPackage,
  type Diagnostics,
  type ExportOutcome,
  type ExportProgress,
  type ExportRequest,
  type KeepSettings,
  type RetentionView,
  rpcContract,
  type StorageCleanup,
  type StorageReport,
} from "#contract";
import { type Engine, type Ids, type Logger, type Machine, ServiceError } from "#main/base";
import { type Build, BuildError, type BuildErrorKind } from "#main/build";
import {
  ConnectionError,
  ConnectionFileError,
  ConnectionNameError,
  type ConnectionStore,
  type ModelPorts,
} from "#main/connections";
import { SecretError } from "#main/secrets";
import { ServerError, type ServerErrorKind, type ServerSwitch } from "#main/server";
import type { Service } from "#main/service";
import { type Disk, describeKnownError, type Notices } from "#main/storage";
import type { FileUploads } from "#main/uploads";
import type { SingleVerifications } from "#main/verifications";
import type { DesktopHost } from "./desktop-host.ts";
import type { FolderCare } from "./folder-care.ts";

/** What the handlers use. They have no state of their own. */
export interface RpcContext {
  readonly service: Service;
  /** The engine on this computer. */
  readonly engine: Engine;
  /** The connections, with their keys. */
  readonly connections: ConnectionStore;
  /** Where servers of models are looked for on this computer. */
  readonly modelPorts: ModelPorts;
  /** The accuracy and verdicts of batches. */
  readonly qualities: { list(): Promise<BatchQuality[]> };
  readonly build: Build;
  /** Uploads in progress. */
  readonly uploads: FileUploads;
  /** The app's own mock server. */
  readonly server: ServerSwitch;
  readonly singleVerifications: SingleVerifications;
  readonly version: string;
  readonly versions: AppInfo["versions"];
  readLicenses(): Promise<BundledPackage[]>;
  readDiagnostics(): Promise<Diagnostics>;
  readonly host: AppInfo["host"];
  /** Null in a browser. */
  readonly desktop: DesktopHost | null;
  readonly folder: FolderCare;
  readonly exporter: {
    begin(request: ExportRequest, signal?: AbortSignal): Promise<ExportOutcome>;
    follow(request: ExportRequest, signal?: AbortSignal): AsyncGenerator<ExportProgress | ExportOutcome>;
    showInFolder(id: string): void;
  };
  /** What the data folder holds. */
  readonly storage: {
    measure(): Promise<StorageReport>;
    clean(what: StorageCleanup): Promise<StorageReport>;
    retention(): RetentionView;
    planRetention(settings: KeepSettings): { batches: number; files: number; bytes: number };
    setRetention(settings: KeepSettings): Promise<RetentionView>;
    confirmClock(): Promise<RetentionView>;
  };
  readonly confirmDamage: () => Promise<void>;
  /** Whether it takes what is written. */
  readonly disk: Disk;
  /** Problems found when the app was started. */
  readonly notices: Notices;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly machine: Machine;
}

/**
 * The contract, to be implemented. Inputs and results are validated here by its schemas, and nowhere else; every failure
 * of a handler, also of a stream that has begun, is sent as an error of the contract.
 */
export const os = implement(rpcContract)
  .$context<RpcContext>()
  .use(async ({ context, path, next }, _input, output) => {
    const serialize = (error: unknown) => serializeError(error, path.join("."), context);
    // What was opened last is closed, and its data may be another's now.
    const closed = path[0] === "folder" ? null : context.folder.closedBecause();
    if (closed !== null) throw createRefusal("REFUSED", `The data folder is closed. ${closed}`, "folder_closed");
    try {
      const result = await next();
      return isStream(result.output) ? output(serializeErrors(result.output, serialize)) : result;
    } catch (error) {
      throw serialize(error);
    }
  });

function isStream(output: unknown): output is AsyncGenerator<unknown> {
  return typeof output === "object" && output !== null && Symbol.asyncIterator in output;
}

async function* serializeErrors(events: AsyncGenerator<unknown>, serialize: (error: unknown) => unknown) {
  try {
    yield* events;
  } catch (error) {
    throw serialize(error);
  }
}

type Code = "NOT_FOUND" | "CONFLICT" | "REFUSED";

const codeOfKind: Readonly<Record<BuildErrorKind | ServerErrorKind, Code>> = {
  not_found: "NOT_FOUND",
  conflict: "CONFLICT",
  refused: "REFUSED",
};

function codeOfStatus(status: number): Code {
  if (status === 404) return "NOT_FOUND";
  return status === 409 ? "CONFLICT" : "REFUSED";
}

/**
 * A failure as the page gets it. What the user can act on has its own sentence; anything else is logged under a request id,
 * and the page gets that id only.
 */
function serializeError(
  error: unknown,
  procedure: string,
  { ids, logger, disk }: Pick<RpcContext, "ids" | "logger" | "disk">,
) {
  if (error instanceof ORPCError) return error;
  if (error instanceof BuildError || error instanceof ServerError) {
    return createRefusal(codeOfKind[error.kind], error.message);
  }
  if (error instanceof ConnectionError) {
    return createRefusal("REFUSED", `${error.message} ${error.nextStep}`, error.code);
  }
  if (error instanceof ConnectionNameError) return createRefusal("CONFLICT", error.message);
  if (error instanceof ConnectionFileError) return createRefusal("REFUSED", error.message);
  if (error instanceof SecretError) return createRefusal("REFUSED", error.message);
  if (!(error instanceof ServiceError)) disk.report(error);
  const known = describeKnownError(error);
  if (known !== null) return createRefusal(codeOfStatus(known.status), known.message, known.code);
  if (error instanceof Error && error.name === "AbortError") return error;
  const requestId = ids.create("request");
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  logger.error("rpc failed", { requestId, procedure, error: details });
  return new ORPCError("INTERNAL_SERVER_ERROR", {
    message: `Something went wrong. The log has it under ${requestId}.`,
  });
}

function createRefusal(code: Code, message: string, reason?: string) {
  const data = reason === undefined ? { message } : { message, code: reason };
  return new ORPCError(code, { message, data });
}
