/** What kind of failure it is: the thing is gone, it is in use or in another state, or it can't be done. */
export type BuildErrorKind = "not_found" | "conflict" | "refused";

/** A failure that the user can do something about. The message is shown as it is: what happened, and the next step. */
export class BuildError extends Error {
  override readonly name = "BuildError";
  readonly kind: BuildErrorKind;

  constructor(kind: BuildErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Ids become names of files: one that could lead out of its folder is answered like one that is not there. */
export function checkId(id: string, missing: string): string {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(id)) throw new BuildError("not_found", missing);
  return id;
}
