/** Rules that can't be used: every mistake in them, each with its place as `file:line: message`. */
export class RulesError extends Error {
  override readonly name = "RulesError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}
