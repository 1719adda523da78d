/** Where the program's own files are. Sources, the app's build and the package have them at the same distance from this module. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Modules that are loaded by their address, as paths below `src/main`, by the names that bundles give them: entries of
 * worker threads, and of processes.
 */
export const entries = {
  /** The `sheaf` command. */
  cli: "headless.ts",
  /** Checks batch input files. */
  "validation-worker": "requests/validation/worker.ts",
  /** Makes values for JSON schemas. */
  "schema-worker": "engines/mock/worker.ts",
  /** Judges responses by rules, and grades answers. */
  "judge-worker": "verifications/judge-worker.ts",
  /** Looks for texts in results. */
  "search-worker": "results/search-worker.ts",
  /** Examines and copies data folders. */
  "doctor-worker": "doctor/worker.ts",
  /** Reads tables and renders prompts. */
  "build-worker": "build/worker.ts",
  /** Calls the system's keychain. */
  "keychain-worker": "secrets/keychain/worker.ts",
} as const;

const isBundled = !import.meta.url.endsWith(".ts");

/** Where one of these modules is. In a bundle all files are next to one another. */
export function findEntry(name: keyof typeof entries): URL {
  return new URL(isBundled ? `./${name}.js` : `./${entries[name]}`, import.meta.url);
}

/** A path in the folder of the project or package, which has the built page and what ships with it. */
export function findOwnFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

export function readVersion(): string {
  const own: { version: string } = JSON.parse(readFileSync(findOwnFile("package.json"), "utf8"));
  return own.version;
}
