/** What the exit code of a command means. */
export const exitCodes = {
  /** Done, and all is well. */
  ok: 0,
  /** It could not be done, or some requests failed. */
  failed: 1,
  /** What was given is wrong: a flag, a file that cannot be read, a batch that does not validate. */
  unusable: 2,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with one line on stderr and an exit code. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}
