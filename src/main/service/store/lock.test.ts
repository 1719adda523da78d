import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { createSystemMachine } from "../clock/index.ts";
import { makeTempDir } from "../testing/index.ts";
import { lockDataDir } from "./lock.ts";

const lockModule = new URL("./lock.ts", import.meta.url).href;
const machineModule = new URL("../clock/machine.ts", import.meta.url).href;
const machine = createSystemMachine();

/** A process that goes for the folder each time it reads a line, and reports the result; a second line gives it back. */
function startRival() {
  const program = `
    import { createInterface } from "node:readline";
    import { createSystemMachine } from ${JSON.stringify(machineModule)};
    import { lockDataDir } from ${JSON.stringify(lockModule)};
    const machine = createSystemMachine();
    let release = null;
    for await (const dir of createInterface({ input: process.stdin })) {
      if (release === null) {
        release = await lockDataDir(dir, machine).catch((error) => void console.log(error.code)) ?? null;
        if (release !== null) console.log("held");
      } else {
        release();
        release = null;
      }
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    async tryFor(dir: string): Promise<string> {
      child.stdin.write(`${dir}\n`);
      return String((await lines.next()).value);
    },
    release: () => child.stdin.write("release\n"),
  };
}

test("of processes that go for a folder at once exactly one gets it, whatever dead ones left", async () => {
  const rivals = [startRival(), startRival(), startRival()];
  const victim = startRival();
  const dir = await makeTempDir();
  expect(await victim.tryFor(dir)).toBe("held");
  victim.child.kill("SIGKILL");
  await once(victim.child, "exit");
  expect(await readdir(dir)).toHaveLength(1);
  for (let round = 0; round < 12; round++) {
    const outcomes = await Promise.all(rivals.map((rival) => rival.tryFor(dir)));
    expect([...outcomes].sort()).toEqual(["data_dir_in_use", "data_dir_in_use", "held"]);
    rivals[outcomes.indexOf("held")]?.release();
    await expect.poll(() => readdir(dir)).toEqual([]);
  }
});

test("a folder that is held is refused with the pid of its holder, and free again when it is given back", async () => {
  const dir = await makeTempDir();
  const rival = startRival();
  expect(await rival.tryFor(dir)).toBe("held");
  await expect(lockDataDir(dir, machine)).rejects.toMatchObject({
    code: "data_dir_in_use",
    message: expect.stringContaining(`in use by process ${rival.child.pid}.`),
  });
  rival.child.kill("SIGKILL");
  await once(rival.child, "exit");
  const release = await lockDataDir(dir, machine);
  await expect(lockDataDir(dir, machine)).rejects.toThrow(`in use by process ${process.pid}.`);
  release();
  (await lockDataDir(dir, machine))();
  expect(await readdir(dir)).toEqual([]);
});

test("a process that is stopped holds its folder", async ({ skip }) => {
  skip(process.platform === "win32", "there are no such signals");
  const dir = await makeTempDir();
  const rival = startRival();
  expect(await rival.tryFor(dir)).toBe("held");
  rival.child.kill("SIGSTOP");
  await expect(lockDataDir(dir, machine)).rejects.toMatchObject({ code: "data_dir_in_use" });
});

test("a path that is too long for a socket is locked by its hash", async () => {
  const dir = join(await makeTempDir(), "long".repeat(30));
  await mkdir(dir);
  const rival = startRival();
  expect(await rival.tryFor(dir)).toBe("held");
  await expect(lockDataDir(dir, machine)).rejects.toThrow(`in use by process ${rival.child.pid}.`);
  rival.child.kill("SIGKILL");
  await once(rival.child, "exit");
  (await lockDataDir(dir, machine))();
});

test("a lock of the older form counts as long as its pid is a Sheaf's", async () => {
  const dir = await makeTempDir();
  const lock = join(dir, "lock");
  const sheaf = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "headless.ts"]);
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "sheaf-notes.txt"]);
  onTestFinished(() => void [sheaf, other].map((child) => child.kill("SIGKILL")));
  await writeFile(lock, `${sheaf.pid}\n`);
  await expect(lockDataDir(dir, machine)).rejects.toThrow(`in use by process ${sheaf.pid}.`);
  sheaf.kill("SIGKILL");
  await once(sheaf, "exit");
  for (const stale of [`${sheaf.pid}\n`, `${other.pid}\n`, `${process.pid}\n`, "", "rubbish"]) {
    await writeFile(lock, stale);
    (await lockDataDir(dir, machine))();
    expect(await readdir(dir)).toEqual([]);
  }
});
