import type { ExitCode } from "./cli-error.ts";
import type { CommandProcess } from "./command-process.ts";
import { type FlagsOf, type FlagTable, parseFlags } from "./flag.ts";

interface Described {
  readonly name: string;
  /** A few words, for lists of commands. */
  readonly summary: string;
  readonly description?: string;
  /** What help says after the flags: paragraphs, examples, exit codes (help-text.ts). */
  readonly details?: string;
}

interface Runnable<F extends FlagTable> extends Described {
  /** What stands beside the flags, such as `<FILE>`, and what it is. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly flags: F;
}

interface Draft<F extends FlagTable> extends Runnable<F> {
  /** Imports the command's code and runs it. */
  readonly run: (flags: FlagsOf<F>, io: CommandProcess, ...args: string[]) => Promise<ExitCode>;
}

/** A command of the command line, from which `sheaf`, its help and docs/cli.md are made. */
export interface SheafCommand extends Runnable<FlagTable> {
  /**
   * Checks the flags and runs the command.
   * @param given the flags as they were typed, by their keys
   * @throws CliError about the first wrong flag
   */
  readonly run: (
    given: Readonly<Record<string, unknown>>,
    io: CommandProcess,
    args: readonly string[],
  ) => Promise<ExitCode>;
}

/** Commands after a common first word, as `sheaf connections add`. */
export interface CommandFamily extends Described {
  readonly commands: readonly SheafCommand[];
}

export function defineCommand<F extends FlagTable>({ run, ...about }: Draft<F>): SheafCommand {
  return { ...about, run: (given, io, args) => run(parseFlags(about.flags, given, io.machine.wall()), io, ...args) };
}
