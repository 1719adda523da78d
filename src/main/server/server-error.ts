export type ServerErrorKind = "refused" | "not_found";

/** A failure that the user can mend. The message is shown as it is: what happened, and the next step. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  readonly kind: ServerErrorKind;

  constructor(kind: ServerErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
