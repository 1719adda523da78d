import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach } from "vitest";

/**
 * A folder of its own for every test of a file, removed after all that the test itself cleans up. Returns a function that makes paths
 * in it.
 */
export function setUpFolder(): (name?: string) => string {
  let folder = "";
  beforeEach(async ({ onTestFinished }) => {
    const made = await mkdtemp(join(tmpdir(), "sheaf-cli-"));
    onTestFinished(() => rm(made, { recursive: true }));
    folder = made;
  });
  return (name = "") => join(folder, name);
}
