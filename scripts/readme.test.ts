import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RunningServer, runSheaf, startServer } from "../src/main/cli/testing/sheaf-process.ts";
import { findCommand } from "./setup/build.mjs";

const project = (path: string) => join(import.meta.dirname, "..", path);

test.each(["batch.sh", "batch.py", "batch.mjs"])("the README shows %s as it is tested", async (name) => {
  const readme = await readFile(project("README.md"), "utf8");
  const example = await readFile(project(`examples/mock-server/${name}`), "utf8");
  expect(readme).toContain(`\n${example.trimEnd()}\n\`\`\``);
});

test.each([
  "testing/vitest.test.ts",
  "testing/jest.test.cjs",
  "testing/node-test.test.mjs",
  "testing/test_program.py",
  "containers/compose.yaml",
])("docs/testing.md shows %s as it is", async (name) => {
  const page = await readFile(project("docs/testing.md"), "utf8");
  const example = await readFile(project(`examples/${name}`), "utf8");
  expect(page).toContain(`\n${example.trimEnd()}\n\`\`\``);
});

/** The commands of a page that end by themselves, in their order, each as a line of the shell. */
function listCommands(page: string): string[] {
  const blocks = page.matchAll(/^```sh\n(.*?)^```$/gms);
  const lines = Array.from(blocks, ([, block = ""]) => block.replaceAll("\\\n", " ").split("\n")).flat();
  return lines.filter((line) => /^npm run -s sheaf -- (?!serve|web)/.test(line));
}

/** Replaces npm outside the project's folder, and puts the address of the test's server into `connections add`. */
const npm = `#!/bin/sh
shift 4
case "$1 $2" in "connections add") set -- "$@" --url "$OLLAMA_URL" ;; esac
exec "${process.execPath}" "${findCommand()}" "$@"
`;

/** What `sheaf verify` ends with when it contradicts a claim. */
const contradicted = 1;

describe.skipIf(process.platform === "win32")("every command of a page runs as it stands there", () => {
  let folder: string;
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer(["--ephemeral", "--any-model", "--no-auth", "--no-rate-limit"]);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "sheaf-readme-"));
    await symlink(project("examples"), join(folder, "examples"));
    await writeFile(join(folder, "npm"), npm, { mode: 0o755 });
  });
  afterEach(() => rm(folder, { recursive: true }));

  test.for(["README.md", "docs/connections.md", "docs/verify.md"])(
    "%s",
    { timeout: 300_000 },
    async (page, { signal }) => {
      const commands = listCommands(await readFile(project(page), "utf8"));
      expect(commands).not.toEqual([]);
      const env = {
        ...process.env,
        PATH: `${folder}:${process.env.PATH}`,
        HOME: folder,
        XDG_CONFIG_HOME: "",
        XDG_DATA_HOME: "",
        OLLAMA_URL: `${server.url}/v1`,
      };
      for (const command of commands) {
        const expected = command.includes("43") ? contradicted : 0;
        expect(await runShell(command, { cwd: folder, env, signal }), command).toMatchObject({ code: expected });
      }
    },
  );
});

/** Runs a line of the shell to its end. It may need the server of this process. */
function runShell(line: string, options: { cwd: string; env: NodeJS.ProcessEnv; signal: AbortSignal }) {
  return new Promise((resolve) => {
    const child = execFile("sh", ["-c", line], options, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr });
    });
  });
}

test("the batch file of the examples is what the README's command makes of the first 20 rows", async () => {
  const { stdout } = await runSheaf([
    ...["build", project("examples/gsm8k-200.jsonl"), "--prompt", "{{ question }}", "--id", "id", "-o", "-"],
    ...["--model", "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo"],
  ]);
  const lines = stdout.split("\n").slice(0, 20).join("\n");
  expect(await readFile(project("examples/batch.jsonl"), "utf8")).toBe(`${lines}\n`);
  expect(await runSheaf(["validate", project("examples/batch.jsonl")])).toMatchObject({ code: 0 });
});
