/** A failure to keep or to find secrets. It says where it happened and the next step, never a value. */
export class SecretError extends Error {
  override readonly name = "SecretError";
}
