import { CommanderError } from "commander";
import { CliError, exitCodes } from "./cli-error.ts";
import { endWithReader, printError } from "./output.ts";
import { createProgram } from "./program.ts";
import { readVersion } from "./project.ts";

/**
 * Runs the `sheaf` command and sets the exit code of the process.
 * @param args what was typed after `sheaf`
 */
export async function runCli(args: readonly string[]): Promise<void> {
  endWithReader();
  const program = createProgram(readVersion(), (code) => {
    process.exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = explain(error);
  }
}

function explain(error: unknown): number {
  // commander has printed its own message by now; help and --version end here too, with code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.unusable;
  if (error instanceof CliError) {
    printError(`error: ${error.message}`);
    return error.exitCode;
  }
  printError(`error: ${error instanceof Error ? error.message : String(error)}`);
  if (process.env.SHEAF_DEBUG && error instanceof Error) printError(error.stack ?? "");
  return exitCodes.failed;
}
