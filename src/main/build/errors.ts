/** What the page is told of a failure: the thing is gone, it is in use or in another state, or it can't be done. */
export type BuildErrorKind = "not_found" | "conflict" | "refused";

/** A failure that the user can mend. The message is shown as it is: what happened, and the next step. */
export class BuildError extends Error {
  override readonly name = "BuildError";
  readonly kind: BuildErrorKind;

  constructor(kind: BuildErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
