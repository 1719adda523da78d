import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** A path in the project's folder, which has the build and what ships with it. */
export function findInProject(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}

export function readVersion(): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(findInProject("package.json"), "utf8")))
    .version;
}
