import { BuildError } from "./errors.ts";

/** Ids become names of files: nothing that could lead out of their folder passes. */
export function checkId(id: string, missing: string): string {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(id)) throw new BuildError("not_found", missing);
  return id;
}
