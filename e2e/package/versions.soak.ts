import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nodePackage } from "../../scripts/setup/node.mjs";
import { runNpm } from "../../scripts/setup/npm.mjs";
import { exampleRuns } from "./example-runs.ts";
import { installPackage } from "./installed-package.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-nodes-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Installs a version of Node from npm. */
async function installNode(version: string): Promise<string> {
  const name = nodePackage();
  if (name === undefined) throw new Error("There is no package with Node for this platform.");
  const prefix = join(folder, version);
  const flags = ["--prefix", prefix, "--no-audit", "--no-fund", "--no-save"];
  const { code, output } = await runNpm(["install", ...flags, `${name}@${version}`], { quiet: true });
  if (code !== 0) throw new Error(output);
  return join(prefix, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
}

test.each(["22.19", "24", "26"])("the packed package runs on Node %s", async (version) => {
  await using installed = await installPackage(await installNode(version));
  await installed.link("openai", "vitest", "jest", "@jest/globals");
  await installed.copy("examples/testing", "tests");
  expect((await installed.run("node", "--version")).stdout).toContain(`v${version}`);
  const server = await installed.start("sheaf", "serve", "--port", "0", "--ephemeral", "--json");
  expect(await server.stop()).toBe(0);
  const web = await installed.start("sheaf", "web", "--port", "0", "--ephemeral", "--json");
  expect(await web.stop()).toBe(0);
  expect(await installed.run("sheaf", "run", "batch.jsonl", "-o", "answers.jsonl")).toMatchObject({ code: 0 });
  for (const [, args, passed] of exampleRuns) {
    const { stdout, stderr, code } = await installed.run("node", ...args);
    expect(stripVTControlCharacters(stdout + stderr)).toContain(passed);
    expect(code).toBe(0);
  }
});

test.each(["16", "18", "20", "22.18"])("on Node %s an import says in one sentence which it needs", async (version) => {
  await using installed = await installPackage(await installNode(version));
  await installed.link("vitest");
  for (const name of ["sheaf", "sheaf/testing/process", "sheaf/vitest"]) {
    const script = `import("${name}").catch(({ message }) => console.log(message))`;
    expect((await installed.run("node", "--input-type=module", "-e", script)).stdout).toMatch(
      new RegExp(`^sheaf needs Node 22\\.19 or newer: this is Node ${version}\\.[\\d.]+\\n$`),
    );
  }
});

test.each(["10", "16", "20"])("on Node %s the command says in one sentence which it needs", async (version) => {
  await using installed = await installPackage(await installNode(version));
  expect(await installed.run("node", "node_modules/sheaf/bin/sheaf.cjs", "--version")).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(
      new RegExp(`^sheaf needs Node 22\\.19 or newer: this is Node ${version}\\.[\\d.]+\\n$`),
    ),
  });
});
