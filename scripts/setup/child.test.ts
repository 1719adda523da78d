import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const modulePath = fileURLToPath(new URL("child.mjs", import.meta.url));

/** A process that runs `program` the way a set-up command runs what it was asked for. */
function start(program: string) {
  const parent = `import { endLike, run } from ${JSON.stringify(modulePath)};
    endLike(await run(process.execPath, ["-e", ${JSON.stringify(program)}]));`;
  return spawn(process.execPath, ["--input-type=module", "-e", parent], { stdio: ["ignore", "pipe", "inherit"] });
}

test("the exit code of the command is the exit code of the set-up", async () => {
  expect(await once(start("process.exit(7)"), "exit")).toEqual([7, null]);
});

test("a command that a signal ended makes the set-up end by the same signal", async () => {
  expect(await once(start("process.kill(process.pid, 'SIGTERM')"), "exit")).toEqual([null, "SIGTERM"]);
});

test.each(["SIGINT", "SIGTERM"] as const)("%s reaches the command, which may still end well", async (signal) => {
  const command = start(
    `process.on("${signal}", () => process.exit(0)); console.log("ready"); setInterval(() => {}, 1000);`,
  );
  const exited = once(command, "exit");
  for await (const line of createInterface({ input: command.stdout })) if (line === "ready") command.kill(signal);
  expect(await exited).toEqual([0, null]);
});

test("the command ends when the shell between npm and the set-up was killed", async () => {
  const program =
    "console.log(process.pid); process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000);";
  const parent = `import { run } from ${JSON.stringify(modulePath)};
    await run(process.execPath, ["-e", ${JSON.stringify(program)}]);`;
  const shell = spawn("sh", ["-c", '"$0" --input-type=module -e "$1"; true', process.execPath, parent], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(shell.stdout, "close");
  for await (const line of createInterface({ input: shell.stdout })) if (/^\d+$/.test(line)) shell.kill("SIGKILL");
  await closed;
});
