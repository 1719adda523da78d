import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { inProject } from "../scripts/setup/paths.mjs";

/** What packages with the command line have below their root, besides the app. */
export const commandFiles = ["bin/node", "bin/sheaf", "LICENSE.node.txt", "out/main/licenses.md"].map(
  (path) => `opt/Sheaf/cli/${path}`,
);

/**
 * Uses the command line as it was installed below a root: its help, its server, a key that only the desktop app can read, a whole
 * batch, the check of its data. A sentence for each thing that is wrong.
 * @param {string} root
 */
export async function checkCommand(root) {
  const home = mkdtempSync(join(tmpdir(), "sheaf-home-"));
  const data = join(home, "data");
  const program = join(root, "usr/bin/sheaf");
  // Nothing of this project is in the path, and no other Node.
  /** @type {Record<string, string>} */
  const env = { PATH: "/usr/bin:/bin", HOME: home };
  const server = spawn(program, ["serve", "--port", "0", "--ephemeral", "--any-model", "--json"], {
    cwd: home,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit").catch(() => []);
  /** @type {string[]} */
  const problems = [];
  try {
    /** @type {(status: number, wanted: RegExp, ...args: string[]) => string} */
    const expect = (wantedStatus, wanted, ...args) => {
      const { status, stdout, stderr } = spawnSync(program, args, { cwd: home, encoding: "utf8", env });
      const output = `${stdout}${stderr}`;
      if (status !== wantedStatus || !wanted.test(output))
        problems.push(`sheaf ${args.join(" ")} ends with ${status}: ${output.trim()}`);
      return stdout ?? "";
    };
    expect(0, /^Usage: sheaf /, "--help");
    const [ready] = await Promise.race([once(createInterface({ input: server.stdout }), "line"), ended.then(() => [])]);
    if (ready === undefined) return [...problems, "sheaf serve ends at once."];
    const { url, apiKey } = JSON.parse(ready);
    const place = ["--data-dir", data];
    expect(0, /added/, "connections", "add", "Mine", "--adapter", "chat", "--url", `${url}/v1`, ...place);
    const listed = expect(0, /Mine/, "connections", "list", "--json", ...place);
    if (problems.length > 0) return problems;
    const [{ id }] = JSON.parse(listed);
    // What the desktop app leaves where the system has a cipher for it, and no keychain.
    const sealed = { version: 1, cipher: { name: "system" }, secrets: { [`connection:${id}`]: "AAAA" } };
    writeFileSync(join(data, "secrets.system.json"), JSON.stringify(sealed));
    expect(1, /Only the desktop app can read .*--key-env VAR/, "connections", "test", "Mine", ...place);
    env.SHEAF_KEY = apiKey;
    expect(0, /another key/, "connections", "key", "Mine", "--key-env", "SHEAF_KEY", ...place);
    const input = inProject("examples/batch.jsonl");
    expect(0, /./, "run", input, "--connection", "Mine", "-o", "answers.jsonl", ...place);
    expect(0, /./, "doctor", data);
    if (problems.length > 0) return problems;
    const count = (/** @type {string} */ path) => readFileSync(path, "utf8").trim().split("\n").length;
    const [asked, answered] = [count(input), count(join(home, "answers.jsonl"))];
    return asked === answered ? [] : [`Of ${asked} requests, the command has ${answered} answers.`];
  } finally {
    server.kill();
    await ended;
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
