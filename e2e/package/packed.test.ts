import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { exampleRuns, trickRuns } from "./example-runs.ts";
import { type InstalledPackage, installPackage } from "./installed-package.ts";

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
  await installed.link("@types/node", "undici-types", "typescript", "openai", "vitest", "jest", "@jest/globals");
  await installed.link("sinon", "jsdom", "happy-dom", "jest-environment-jsdom");
  await installed.copy("e2e/package/tricks", "tricks");
  await installed.copy("examples/testing", "tests");
});
afterAll(() => installed[Symbol.asyncDispose]());

const readySchema = z.object({ url: z.url(), apiKey: z.string() });

/** All files below a folder with their sizes, in the order of their names. */
async function listFiles(folder: string): Promise<{ path: string; size: number }[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = paths
    .sort()
    .map(async (path) => ({ path: path.slice(folder.length + 1), size: (await stat(path)).size }));
  return await Promise.all(files);
}

test("the package has what contents.txt lists, takes at most 20 MB, and depends on no other", async () => {
  const files = await listFiles(join(installed.folder, "node_modules/sheaf"));
  // The names of chunks have a hash of what is in them.
  const names = files.map(({ path }) =>
    path.replace(/chunk-[\w-]+/, "chunk-*").replace(/(assets\/).+(\.\w+)$/, "$1*$2"),
  );
  await expect(`${[...new Set(names)].sort().join("\n")}\n`).toMatchFileSnapshot("contents.txt");
  expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(20_000_000);
  expect(await readdir(join(installed.folder, "node_modules"))).not.toContain("zod");
});

test("publint and Are the types wrong find nothing", async () => {
  expect((await publint({ pkgDir: installed.source, strict: true })).messages).toEqual([]);
  const checked = await checkPackage(createPackageFromTarballData(await readFile(installed.tarball)));
  if (!checked.types) throw new Error("It has no types.");
  // The profile esm-only: what older ways of resolving find does not count.
  const counts = checked.problems.filter(
    (problem) => !("resolutionKind" in problem) || !["node10", "node16-cjs"].includes(problem.resolutionKind),
  );
  expect(counts).toEqual([]);
});

test("a strict TypeScript project compiles against it, with the checks of libraries on", async () => {
  expect(await installed.run("node", "node_modules/typescript/bin/tsc", "-p", ".")).toMatchObject({
    code: 0,
    stdout: "",
  });
});

test.each(exampleRuns)("the example for %s passes", async (_, args, passed) => {
  const { stdout, stderr, code } = await installed.run("node", ...args);
  expect(stripVTControlCharacters(stdout + stderr)).toContain(passed);
  expect(code).toBe(0);
});

test.each(trickRuns)("a server works where the test suite replaces what Node has: %s", async (_, args, passed) => {
  const { stdout, stderr, code } = await installed.run("node", ...args);
  expect(stripVTControlCharacters(stdout + stderr)).toContain(passed);
  expect(code).toBe(0);
});

test("jest ends where it gives up tests before the server is there, and the server with it", async () => {
  const [, args] = exampleRuns[1];
  expect(await installed.run("node", ...args, "--testTimeout=1")).toMatchObject({ code: 1 });
});

test("the example for Python, with nothing but its standard library, passes", async ({ skip }) => {
  const ended = await installed.run("python3", "-m", "unittest", "tests/test_program.py").catch(() => null);
  if (ended === null) return skip("there is no Python");
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining("Ran 3 tests") });
});

test("CommonJS can require the server of its own process", async () => {
  const script = `
    require("sheaf").startSheaf().then(async (sheaf) => {
      console.log((await fetch(sheaf.url + "/health")).status);
      await sheaf.stop();
    });`;
  expect(await installed.run("node", "-e", script)).toEqual({ code: 0, stdout: "200\n", stderr: "" });
});

test("a Node that is too old gets one sentence", async () => {
  const pretend =
    "Object.defineProperty(process.versions, 'node', { value: '16.20.2' }); require('./node_modules/sheaf/bin/sheaf.cjs')";
  expect(await installed.run("node", "-e", pretend)).toEqual({
    code: 2,
    stdout: "",
    stderr: "sheaf needs Node 22.19 or newer: this is Node 16.20.2.\n",
  });
  const version = "Object.defineProperty(process.versions, 'node', { value: '16.20.2' });";
  const report = "console.log(await load().catch(({ message }) => message));";
  for (const load of ["import('sheaf')", "import('sheaf/testing/process')", "import('sheaf/vitest')"]) {
    const script = `${version} const load = () => ${load}; ${report}`;
    expect(await installed.run("node", "--input-type=module", "-e", script), load).toEqual({
      code: 0,
      stdout: "sheaf needs Node 22.19 or newer: this is Node 16.20.2.\n",
      stderr: "",
    });
  }
});

test("its commands run from a folder that it writes nothing to", async () => {
  const own = join(installed.folder, "node_modules/sheaf");
  const before = await listFiles(own);
  const server = await installed.start("npx", "--no-install", "sheaf", "serve", "--port", "0", "--ephemeral", "--json");
  const { url, apiKey } = readySchema.parse(JSON.parse(server.line));
  const answer = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${apiKey}` } });
  expect(answer.status).toBe(200);
  const web = await installed.start("sheaf", "web", "--port", "0", "--ephemeral", "--json");
  const page = await fetch(new URL("/", z.object({ url: z.url() }).parse(JSON.parse(web.line)).url));
  expect(await page.text()).toContain("<title>Sheaf</title>");
  expect(await installed.run("sheaf", "run", "batch.jsonl", "-o", "answers.jsonl")).toMatchObject({ code: 0 });
  expect(await readFile(join(installed.folder, "answers.jsonl"), "utf8")).toContain('"custom_id":"first"');
  await Promise.all([server.stop(), web.stop()]);
  // npx ends by the signal alone: the server has to end, too.
  await expect(fetch(url)).rejects.toThrow("fetch failed");
  expect(await listFiles(own)).toEqual(before);
});
