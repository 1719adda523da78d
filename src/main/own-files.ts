/** Where the program's own files are. Sources, the app's build and the package have them at the same distance from this module. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** The entries of worker threads and processes, as paths below `src/main`. */
export const workerEntries = {
  /** Checks batch input files. */
  validation: "service/files/validation/worker.ts",
  /** Makes values for JSON schemas. */
  schema: "service/engines/mock/worker.ts",
  /** Judges responses by rules, and grades answers. */
  judge: "service/verifications/judge-worker.ts",
  /** Looks for texts in results. */
  search: "service/results/search-worker.ts",
  /** Reads tables and renders prompts. */
  build: "build/worker.ts",
  /** Calls the system's keychain. */
  keychain: "secrets/keychain/worker.ts",
} as const;

const isBundled = !import.meta.url.endsWith(".ts");

/** The entry of a worker. In a bundle all files are next to one another. */
export function findWorker(name: keyof typeof workerEntries): URL {
  return new URL(isBundled ? `./${workerFileName(name)}.js` : `./${workerEntries[name]}`, import.meta.url);
}

/** What a bundle calls the entry of a worker, without its ending. */
export function workerFileName(name: string): string {
  return `${name}-worker`;
}

/** A path in the folder of the project or package, which has the built page and what ships with it. */
export function findOwnFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

export function readVersion(): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(findOwnFile("package.json"), "utf8")));
  return version;
}
