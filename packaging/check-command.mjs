import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inProject } from "../scripts/setup/paths.mjs";

/** What packages with the command line have below their root, besides the app. */
export const commandFiles = ["bin/node", "bin/sheaf", "bin/sheaf.cjs", "LICENSE.node.txt", "out/main/licenses.md"].map(
  (path) => `opt/Sheaf/cli/${path}`,
);

/**
 * Uses the command line as it was installed below a root: its help, a whole batch, the check of its data, and a key that only the
 * desktop app can read. A sentence for each thing that is wrong.
 * @param {string} root
 */
export function checkCommand(root) {
  const home = mkdtempSync(join(tmpdir(), "sheaf-home-"));
  const data = join(home, "data");
  try {
    /** @type {string[]} */
    const problems = [];
    const call = (/** @type {string[]} */ ...args) =>
      // By the link alone: nothing of this project, and no other Node, is in the path.
      spawnSync(join(root, "usr/bin/sheaf"), args, {
        cwd: home,
        encoding: "utf8",
        env: { PATH: "/usr/bin:/bin", HOME: home, SHEAF_KEY: "sk-of-a-variable" },
      });
    /** @type {(what: string, wanted: RegExp, ...args: string[]) => string} */
    const expect = (what, wanted, ...args) => {
      const { status, stdout, stderr, error } = call(...args);
      const output = `${stdout}${stderr}${error?.message ?? ""}`;
      if (status !== 0 || !wanted.test(output)) problems.push(`${what} ends with ${status}: ${output.trim()}`);
      return stdout ?? "";
    };
    expect("sheaf --help", /^Usage: sheaf /, "--help");
    const input = inProject("examples/batch.jsonl");
    expect("A batch", /./, "run", input, "-o", "answers.jsonl", "--data-dir", data);
    const count = (/** @type {string} */ path) => readFileSync(path, "utf8").trim().split("\n").length;
    if (problems.length === 0 && count(join(home, "answers.jsonl")) !== count(input))
      problems.push("A batch has not as many answers as requests.");
    expect("sheaf doctor", /./, "doctor", "--data-dir", data);

    const place = ["--data-dir", data];
    expect("Adding a connection", /added/, "connections", "add", "Mine", "--preset", "ollama", ...place);
    const listed = expect("Listing connections", /Mine/, "connections", "list", "--json", ...place);
    if (problems.length > 0) return problems;
    const [{ id }] = JSON.parse(listed);
    // What the desktop app leaves where the system has a cipher for it, and no keychain.
    const sealed = { version: 1, cipher: { name: "system" }, secrets: { [`connection:${id}`]: "AAAA" } };
    writeFileSync(join(data, "secrets.system.json"), JSON.stringify(sealed));
    expect("A key of the app's", /Only the desktop app can read .*--key-env VAR/, "connections", "list", ...place);
    expect("--key-env", /./, "connections", "key", "Mine", "--key-env", "SHEAF_KEY", ...place);
    expect("A key in a variable", /key stored\s*$/, "connections", "list", ...place);
    return problems;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * Below a root, what npm makes of its package's command.
 * @param {string} root
 */
export function makeOtherCommand(root) {
  mkdirSync(join(root, "usr/bin"), { recursive: true });
  symlinkSync("../lib/node_modules/sheaf/bin/sheaf.cjs", join(root, "usr/bin/sheaf"));
}
