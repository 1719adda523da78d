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
