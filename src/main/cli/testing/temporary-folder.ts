import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** A folder of its own for every test of a file. Returns a function that makes paths in it. */
export function setUpFolder(): (name?: string) => string {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "sheaf-cli-"));
  });
  afterEach(() => rm(folder, { recursive: true }));
  return (name = "") => join(folder, name);
}
