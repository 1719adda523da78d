import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** What reaches the app: its page, the contract, and the rooms whose sentences it shows. */
const folders = [
  "src/renderer/src",
  "src/contract",
  ...["app", "batches", "build", "connections", "desktop", "doctor", "engines", "exports", "judging", "requests"],
  ...["results", "rpc", "secrets", "server", "service", "storage", "uploads", "verifications"],
].map((name) => (name.startsWith("src") ? name : `src/main/${name}`));

/** Files that may name a command, and why. */
const allowed: Readonly<Record<string, string>> = {
  "src/main/secrets/app-only.ts": "the command line, which can't read the keys of the app",
  "src/main/secrets/open-secret-store.ts": "who chose a file for keys did so by a flag",
  "src/main/storage/journal/notices.ts": "the log, which nobody reads in the app",
  "src/renderer/src/app/message-pages.tsx": "a browser that was not let in: Sheaf was started in a terminal",
  "src/renderer/src/app/shell/connection-bar.tsx": "the same",
  "src/renderer/src/features/server/code-samples.ts": "samples for programs and terminals",
};

const commandOrTerminal =
  /\bsheaf (backup|connections|costs|doctor|export|grade|mcp|retry|run|serve|status|submit|verify|web)\b|--(adopt|repair|data-dir)\b|\bterminal\b/;

/** A source without its comments. */
function dropComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/(^|\s)\/\/.*$/gm, "");
}

test("no advice in the app needs a terminal", () => {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/\.(test|soak)\.|\btesting\b/.test(name))
      .map((name) => join(folder, name)),
  );
  expect(files.length).toBeGreaterThan(500);
  const naming = files.filter((file) => commandOrTerminal.test(dropComments(readFileSync(file, "utf8"))));
  expect(naming.sort()).toEqual(Object.keys(allowed).sort());
});
