import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const project = fileURLToPath(new URL("..", import.meta.url));

/** For each path, the lines of a file there that the linter refuses. */
function lint(lines: readonly string[], paths: readonly string[]): readonly (readonly string[])[] {
  const folder = mkdtempSync(join(tmpdir(), "sheaf-lint-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of ["biome.json", "scripts/no-real-time.grit"]) cpSync(join(project, file), join(folder, file));
  for (const path of paths) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), lines.join("\n"));
  }
  const biome = join(project, "node_modules/@biomejs/biome/bin/biome");
  const options = ["--vcs-enabled=false", "--max-diagnostics=none", "--diagnostic-level=error", "--reporter=github"];
  const { stdout } = spawnSync(process.execPath, [biome, "lint", ...options], { cwd: folder, encoding: "utf8" });
  return paths.map((path) => lines.filter((_, at) => stdout.includes(`/${path},line=${at + 1},`)));
}

const real = [
  "Date.now();",
  "new Date();",
  "Date();",
  "run(Date.now);",
  "performance.now();",
  "process.hrtime();",
  "AbortSignal.timeout(5);",
  "setTimeout(run, 5);",
  "setInterval(run, 5);",
  "globalThis.setTimeout(run, 5);",
];
const handedIn = [
  "new Date(5);",
  "Date.UTC(2026);",
  "Date.parse(text);",
  "machine.timeout(5);",
  "machine.after(5, run);",
];

test("the linter refuses the computer's time outside its folder, and takes what is handed in", () => {
  const refused = ["src/main/build/rows.ts", "src/main/service/engines/mock/mock.ts", "src/main/index.ts"];
  const exempt = ["src/main/base/clock/machine.ts", "src/main/build/rows.test.ts", "src/main/build/testing/rows.ts"];
  expect(lint([...real, ...handedIn], [...refused, ...exempt])).toEqual([
    ...refused.map(() => real),
    ...exempt.map(() => []),
  ]);
});

test("the linter refuses the timers that test suites replace in what tests import", () => {
  const timers = ["performance.now();", "setTimeout(run, 5);", "setInterval(run, 5);"];
  expect(lint(timers, ["src/testing/scope.ts", "src/testing/node-globals.ts", "src/testing/scope.test.ts"])).toEqual([
    timers,
    [],
    [],
  ]);
});
