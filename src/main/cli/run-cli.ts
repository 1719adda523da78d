import { CommanderError } from "commander";
import { readVersion } from "#app-paths";
import { CliError, describeSystemError, type ExitCode, exitCodes, withRemedy } from "./cli-error.ts";
import { type CommandProcess, endWithReader, printError } from "./command-process.ts";
import { createProgram } from "./program.ts";

/**
 * Runs the `sheaf` command.
 * @param args what was typed after `sheaf`
 * @returns the exit code
 */
export async function runCli(args: readonly string[], io: CommandProcess): Promise<ExitCode> {
  endWithReader(io);
  let exitCode: ExitCode = exitCodes.ok;
  const program = createProgram(readVersion(), io, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    return explain(error, io);
  }
}

function explain(error: unknown, io: CommandProcess): ExitCode {
  // commander has printed its own message by now; help and --version end here too, with code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.unusable;
  const known = error instanceof CliError ? error : describeSystemError(error);
  if (known !== null) {
    printError(`error: ${known.message}`, io);
    if (io.env.SHEAF_DEBUG && error instanceof Error && known !== error) printError(error.stack ?? "", io);
    return known.exitCode;
  }
  printError(`error: ${error instanceof Error ? withRemedy(error) : String(error)}`, io);
  if (io.env.SHEAF_DEBUG && error instanceof Error) printError(error.stack ?? "", io);
  return exitCodes.failed;
}
