import { type MockServerChoice, mockServerSettingsSchema } from "#contract";
import { createLogger, createRandomIds, createSystemClock, type Logger } from "#main/base";
import { createScopedFaults } from "#main/engines";
import { createService, type Service, type ServiceSettings } from "#main/service";
import { DataDirError } from "#main/storage";
import { CliError, describeFileError, exitCodes, withRemedy } from "./cli-error.ts";
import { type CommandProcess, exitCodeOf, onStopSignal } from "./command-process.ts";
import { openEngine, readModels } from "./create-engine.ts";
import type { Storage } from "./data-folder.ts";
import type { EngineFlags, ModelFlags, TierFlags } from "./shared-flags.ts";

/**
 * Opens a command's service.
 * @throws CliError when its data folder is in use or cannot be read, or its engine or models are not available
 */
export async function openService(
  flags: EngineFlags & ModelFlags & MockServerChoice,
  storage: Storage,
  io: CommandProcess,
  settings: ServiceSettings = {},
): Promise<Service> {
  const { clock = createSystemClock(io.machine) } = settings;
  const ids = createRandomIds();
  const logger = createCommandLogger(io);
  const models = await readModels(flags.models);
  /** A recording is asked whatever comes: it knows what was answered. */
  const isReplayed = flags.replay !== undefined;
  const opened = await openEngine(flags, { clock, machine: io.machine, ids, logger, models, env: io.env });
  try {
    return await createService({
      faults: createScopedFaults(flags.seed),
      ...mockServerSettingsSchema.parse(flags),
      ...settings,
      ...storage,
      ...opened,
      ...io.threads,
      ...(models && { models }),
      ...(isReplayed && { anyModel: true, lenient: true }),
      clock,
      machine: io.machine,
      ids,
      logger,
    });
  } catch (error) {
    opened.rules?.close();
    await opened.engine.close?.();
    if (error instanceof DataDirError) throw new CliError(withRemedy(error), exitCodes.failed);
    if ("dataDir" in storage) throw new CliError(describeFileError(error, storage.dataDir).message, exitCodes.failed);
    throw error;
  }
}

/**
 * Runs `work` with a service in a temporary folder. A signal ends it at once, and the process with it; either way `cleanUp`
 * is called and the folder is removed.
 */
export async function withService<T>(
  flags: EngineFlags & ModelFlags & TierFlags,
  io: CommandProcess,
  work: (service: Service) => Promise<T>,
  cleanUp: () => Promise<void> = async () => {},
): Promise<T> {
  let opening: Promise<Service> | undefined;
  const end = async () => {
    await cleanUp();
    const service = await opening?.catch(() => undefined);
    await service?.close(0);
  };
  // Listens before the service has a folder, so that a signal always removes it.
  const removeHandlers = onStopSignal((signal) => {
    const exit = () => io.exit(exitCodeOf(signal));
    end().then(exit, exit);
  }, io);
  try {
    opening = openService(flags, { ephemeral: true }, io);
    return await work(await opening);
  } finally {
    await end();
    removeHandlers();
  }
}

/** Logs warnings and errors of the service and of what uses it. */
export function createCommandLogger({ stderr, machine }: CommandProcess): Logger {
  return createLogger({ level: "warn", machine, write: (line) => void stderr.write(line) });
}
