import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createSilentLogger } from "#main/base";
import { openSecretStore } from "#main/secrets";
import { findCommand } from "../../../scripts/setup/build.mjs";
import { exitOf, runSheaf, startServer } from "./testing/sheaf-process.ts";
import { setUpFolder } from "./testing/temporary-folder.ts";

const inFolder = setUpFolder();
const passphrase = "correct horse battery staple";
const withFile = { SHEAF_SECRETS: "file", SHEAF_PASSPHRASE: passphrase };

async function keepKey(value: string): Promise<void> {
  const source = { canRepeat: false, ask: async () => passphrase, cost: { n: 2 ** 14, r: 8, p: 1 } };
  const options = { choice: "file", dataDir: inFolder("data"), passphrase: source } as const;
  await mkdir(inFolder("data"));
  const secrets = await openSecretStore({ ...options, logger: createSilentLogger() });
  await secrets.set("api_key", value);
}

test("a server has the same key at each start where keys are kept, and another one where they aren't", async () => {
  const start = async (env: Record<string, string>, flags: string[] = []) => {
    const server = await startServer(["--data-dir", inFolder("data"), ...flags], { env });
    await server.stop();
    return server.apiKey;
  };
  const first = await start(withFile);
  expect(await start(withFile, ["--secrets", "memory"])).not.toBe(first);
  expect(await start(withFile)).toBe(first);
});

test("a wrong passphrase, one that is too short, and an unknown place are one clear line each", async () => {
  await keepKey("sk-sheaf-kept");
  const run = (folder: string, env: Record<string, string>) =>
    runSheaf(["serve", "--port", "0", "--data-dir", inFolder(folder)], { env: { ...withFile, ...env } });
  const [wrong, short, unknown] = await Promise.all([
    run("data", { SHEAF_PASSPHRASE: "incorrect horse" }),
    run("fresh", { SHEAF_PASSPHRASE: "horse" }),
    run("fresh", { SHEAF_SECRETS: "cellar" }),
  ]);
  expect(wrong).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^error: The passphrase is not the one of .*secrets\.json\. Nothing was changed\..*\n$/,
    ),
  });
  expect(short).toEqual({ code: 2, stdout: "", stderr: "error: SHEAF_PASSPHRASE takes at least 8 characters.\n" });
  expect(unknown).toEqual({
    code: 2,
    stdout: "",
    stderr: "error: SHEAF_SECRETS expects one of: auto, keychain, file, memory.\n",
  });
});

/** `script` of util-linux: runs a program at a terminal of its own. */
const terminal = "/usr/bin/script";
const canHaveTerminal = process.platform === "linux" && existsSync(terminal);

test.skipIf(!canHaveTerminal)(
  `at a terminal the passphrase is asked for, and shows nowhere${canHaveTerminal ? "" : " (skipped: needs script of util-linux)"}`,
  { timeout: 60_000 },
  async () => {
    async function converse(turns: readonly (readonly [question: string, answer: string])[]): Promise<string> {
      const command = `${process.execPath} ${findCommand()} serve --port 0 --secrets file --data-dir ${inFolder("data")}`;
      const { SHEAF_PASSPHRASE: _, ...env } = process.env;
      const child = spawn(terminal, ["-qefc", command, "/dev/null"], { env, stdio: ["pipe", "pipe", "inherit"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      // It may have ended by then.
      child.stdin.on("error", () => {});
      let shown = "";
      let next = 0;
      for await (const chunk of child.stdout) {
        shown += String(chunk);
        const [question, answer] = turns[next] ?? ["", ""];
        if (question === "" || !shown.endsWith(question)) {
          // Ctrl+C, as it comes from a keyboard.
          if (shown.includes("Stop it with") && child.stdin.writable) child.stdin.end("\x03");
          continue;
        }
        child.stdin.write(`${answer}\r`);
        next += 1;
      }
      await exitOf(child);
      return stripVTControlCharacters(shown);
    }

    const made = await converse([
      ["at least 8 characters: ", "short"],
      ["at least 8 characters: ", passphrase],
      ["The same again: ", passphrase],
    ]);
    expect(made).toContain("That is too short.");
    const [key = ""] = /sk-sheaf-\S+/.exec(made) ?? [];
    expect(key).toHaveLength(41);
    const opened = await converse([
      ["go on without): ", "another passphrase"],
      ["go on without): ", passphrase],
    ]);
    expect(opened).toContain("That is not its passphrase.");
    expect(opened).toContain(`…${key.slice(-4)}, as at the last start`);
    expect(made + opened).not.toContain(passphrase);
    expect(made + opened).not.toContain("another passphrase");
  },
);
