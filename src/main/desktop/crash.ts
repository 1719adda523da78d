import { app, clipboard, dialog } from "electron";
import type { Logger, Machine } from "#main/base";
import type { CrashReports } from "./crash-reports.ts";
import { ask } from "./dialogs.ts";
import { afterChildGone } from "./policy/child-processes.ts";
import { readFrames, relaunchArgs } from "./policy/crash.ts";
import { afterRejection, describeRejection, nameError } from "./policy/main-errors.ts";
import { findStartedFile } from "./policy/started-file.ts";

interface CrashDeps {
  readonly reports: CrashReports;
  readonly logger: Logger;
}

/** Notes the end of a process that is neither this one nor the page's, and says so where the user will see it. */
export function setupChildCrash({ reports, logger }: CrashDeps): void {
  let graphicsEnds = 0;
  app.on("child-process-gone", (_event, { type, reason, exitCode, name }) => {
    const decision = afterChildGone({ type, reason, name }, graphicsEnds);
    if (decision.do === "nothing") return;
    const isGraphics = type === "GPU";
    if (isGraphics) graphicsEnds += 1;
    logger.warn("A process of Electron's has ended.", { type, reason, exitCode, ...(name !== undefined && { name }) });
    reports.add({ process: isGraphics ? "graphics" : "other", reason: `${type}: ${reason}`, exitCode, frames: [] });
    if (decision.do === "tell") void ask(decision.question, undefined, logger);
  });
}

interface MainCrashDeps extends CrashDeps {
  readonly args: readonly string[];
  /** Ends the service as far as it can; what had not ended continues at the next start. */
  readonly close: () => Promise<void>;
  readonly machine: Machine;
}

/** How long a process that can't be trusted any more has to bring its work to the disk, in milliseconds. */
const closeLimit = 3_000;

/**
 * Handles the main process's errors that nothing catches. After an exception the process can't be trusted: the app stores its work and
 * starts again, once. After a rejection the app goes on; the first of a run is shown. A start from the sources keeps Node's behaviour.
 */
export function setupMainCrash({ args, reports, close, machine, logger }: MainCrashDeps): void {
  if (!app.isPackaged) return;
  let isEnding = false;
  let rejections = 0;

  async function end(error: unknown): Promise<void> {
    reports.add({ process: "main", reason: "uncaught exception", exitCode: null, frames: readFrames(error) });
    const late = Promise.withResolvers<void>();
    machine.after(closeLimit, late.resolve);
    await Promise.race([close(), late.promise]).catch(() => {});
    const next = relaunchArgs(args);
    if (next === null) {
      const detail = "It was started again after an error, and met another one. Your batches and drafts are kept.";
      dialog.showErrorBox("Sheaf has ended", detail);
    } else {
      const execPath = findStartedFile(process);
      app.relaunch({ args: [...next], ...(execPath !== null && { execPath }) });
    }
    app.exit(1);
  }

  async function tell(error: unknown): Promise<void> {
    const decision = afterRejection(rejections);
    rejections += 1;
    if (decision === "ignore") return;
    const [name, frames] = [nameError(error), readFrames(error)];
    logger.error("An error was not handled.", { error: name, ...(frames[0] !== undefined && { at: frames[0] }) });
    const reason = `unhandled rejection: ${name}`;
    const report = reports.add({ process: "main", reason, exitCode: null, frames });
    if (decision !== "tell") return;
    const answer = await ask(describeRejection(name, frames[0]), undefined, logger);
    if (answer !== "copy") return;
    const text = report?.text ?? [reason, ...frames].join("\n");
    await clipboard.writeText(text).catch(() => logger.warn("The details can't be copied."));
  }

  process.on("uncaughtException", (error) => {
    logger.error("An error was not caught.", { error: nameError(error) });
    if (isEnding) return;
    isEnding = true;
    void end(error);
  });
  process.on("unhandledRejection", (error) => void tell(error));
}
