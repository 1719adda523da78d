import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** A path of the project's folder: what is built, and what ships with it. */
export function findInProject(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}

export function readVersion(): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(findInProject("package.json"), "utf8")))
    .version;
}
