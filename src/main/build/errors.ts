import { z } from "zod";
import type { ErrorCodec } from "#main/storage";

/** The kind of failure: the thing was removed, it is in use or in another state, or the request is invalid. */
const buildErrorKindSchema = z.enum(["not_found", "conflict", "refused"]);
export type BuildErrorKind = z.infer<typeof buildErrorKindSchema>;

/** A failure that the user can act on. The message is shown as it is: what happened, and the next step. */
export class BuildError extends Error {
  override readonly name = "BuildError";
  readonly kind: BuildErrorKind;

  constructor(kind: BuildErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

const serializedSchema = z.object({ kind: buildErrorKindSchema, message: z.string() });

/** Serializes a BuildError from the worker to the main thread. */
export const buildErrorCodec: ErrorCodec = {
  serialize: (error) => (error instanceof BuildError ? { kind: error.kind, message: error.message } : undefined),
  deserialize(data) {
    const { data: error } = serializedSchema.safeParse(data);
    return error && new BuildError(error.kind, error.message);
  },
};

/** Ids become names of files: one that could lead out of its folder counts as missing. */
export function checkId(id: string, missing: string): string {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(id)) throw new BuildError("not_found", missing);
  return id;
}
