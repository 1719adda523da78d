import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createSystemMachine } from "#main/base";
import { createFakeMachine, type FakeMachine } from "../../base/clock/fake-machine.ts";
import { makeTempDir } from "../../service/testing/index.ts";
import { lockDataDir } from "./lock.ts";

const lockModule = new URL("./lock.ts", import.meta.url).href;
const machineModule = new URL("../../base/clock/machine.ts", import.meta.url).href;
const machine = createSystemMachine();

/** A process that goes for the folder each time it reads a line, and reports the result; a second line gives it back. */
function startRival(env: Record<string, string> = {}) {
  const program = `
    import { createInterface } from "node:readline";
    import { createSystemMachine } from ${JSON.stringify(machineModule)};
    import { lockDataDir } from ${JSON.stringify(lockModule)};
    const machine = createSystemMachine();
    let release = null;
    for await (const dir of createInterface({ input: process.stdin })) {
      if (release === null) {
        release = (await lockDataDir(dir, { machine }).catch((error) => void console.log(error.code)))?.release ?? null;
        if (release !== null) console.log("held");
      } else {
        release();
        release = null;
      }
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
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
  expect(await readdir(dir)).toHaveLength(2);
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
  await expect(lockDataDir(dir, { machine })).rejects.toMatchObject({
    code: "data_dir_in_use",
    message: expect.stringContaining(`in use by process ${rival.child.pid}.`),
  });
  rival.child.kill("SIGKILL");
  await once(rival.child, "exit");
  const sleep = vi.fn(machine.sleep);
  const held = await lockDataDir(dir, { machine: { ...machine, sleep } });
  // A dead holder is not asked for a sign of life.
  expect(sleep).not.toHaveBeenCalledWith(100);
  await expect(lockDataDir(dir, { machine })).rejects.toThrow(`in use by process ${process.pid}.`);
  held.release();
  // Whoever writes later is refused, and leaves no sign of a holder.
  expect(() => held.assertHeld()).toThrow("given its data folder back");
  (await lockDataDir(dir, { machine })).release();
  expect(await readdir(dir)).toEqual([]);
});

/** Lets a machine's time pass until a promise has settled. */
async function passUntilSettled<T>(machine: FakeMachine, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  while (!isSettled) await machine.advance(50);
  return await promise;
}

/** Holds a folder on a machine of its own. */
async function hold(dir: string) {
  const onLost = vi.fn();
  const ownMachine = createFakeMachine();
  const held = await passUntilSettled(ownMachine, lockDataDir(dir, { machine: ownMachine, onLost }));
  onTestFinished(held.release);
  return { ...held, machine: ownMachine, onLost };
}

async function findSocket(dir: string): Promise<string> {
  return (await readdir(dir)).find((name) => name.endsWith(".sock")) ?? "";
}

test("a process that is stopped holds its folder", async ({ skip }) => {
  skip(process.platform === "win32", "there are no such signals");
  const dir = await makeTempDir();
  const rival = startRival();
  expect(await rival.tryFor(dir)).toBe("held");
  rival.child.kill("SIGSTOP");
  await expect(hold(dir)).rejects.toMatchObject({ code: "data_dir_in_use" });
});

test("a path that is too long for a socket is locked like any other, wherever temporary files are", async () => {
  const dir = join(await makeTempDir(), "long".repeat(30));
  await mkdir(dir);
  const rival = startRival({ TMPDIR: await makeTempDir() });
  expect(await rival.tryFor(dir)).toBe("held");
  await expect(lockDataDir(dir, { machine })).rejects.toThrow(`in use by process ${rival.child.pid}.`);
  rival.child.kill("SIGKILL");
  await once(rival.child, "exit");
  (await lockDataDir(dir, { machine })).release();
  expect(await readdir(dir)).toEqual([]);
});

describe("where the socket of the owner can't be found", () => {
  const gone = { nonce: "0123456789abcdef", pid: 1, socket: "/elsewhere/sheaf.sock" };

  test("a holder keeps the folder, answers a newcomer within a second, and makes its socket anew", async () => {
    const dir = await makeTempDir();
    const holder = await hold(dir);
    const socket = await findSocket(dir);
    await rm(join(dir, socket));
    const newcomer = createFakeMachine();
    const taking = lockDataDir(dir, { machine: newcomer });
    taking.catch(() => {});
    await expect.poll(() => readdir(dir)).toContainEqual(expect.stringMatching(/^claim-/));
    await holder.machine.advance(1_000);
    await expect(passUntilSettled(newcomer, taking)).rejects.toThrow(`in use by process ${process.pid}.`);
    expect((await readdir(dir)).toSorted()).toEqual([socket, "owner"].toSorted());
    await expect(hold(dir)).rejects.toThrow("in use");
    holder.confirmHeld();
  });

  test.each([JSON.stringify(gone), "", "\0\0\0"])(
    "one that doesn't answer for three seconds is dead (%j)",
    async (owner) => {
      const dir = await makeTempDir();
      await writeFile(join(dir, "owner"), owner);
      const newcomer = createFakeMachine();
      const taking = lockDataDir(dir, { machine: newcomer });
      await expect.poll(() => readdir(dir)).toContainEqual(expect.stringMatching(/^claim-/));
      await newcomer.advance(2_900);
      expect(await readFile(join(dir, "owner"), "utf8")).toBe(owner);
      const held = await passUntilSettled(newcomer, taking);
      expect(JSON.parse(await readFile(join(dir, "owner"), "utf8"))).toMatchObject({ pid: process.pid });
      held.release();
      expect(await readdir(dir)).toEqual([]);
    },
  );

  test("of many newcomers one gets the folder", async () => {
    const dir = await makeTempDir();
    await writeFile(join(dir, "owner"), JSON.stringify(gone));
    const outcomes = await Promise.allSettled([hold(dir), hold(dir), hold(dir), hold(dir)]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("a holder whose folder was taken", () => {
  test("writes nothing more, says so once, and leaves the folder to the other", async () => {
    const dir = await makeTempDir();
    const holder = await hold(dir);
    await rm(join(dir, await findSocket(dir)));
    await rm(join(dir, "owner"));
    const other = await hold(dir);
    expect(holder.lost).toBeNull();
    expect(holder.confirmHeld).toThrow(`was taken by process ${process.pid}`);
    expect(holder.assertHeld).toThrow("nothing more is stored");
    holder.release();
    other.confirmHeld();
    expect(holder.onLost).toHaveBeenCalledOnce();
    await other.machine.advance(1_000);
    await expect(hold(dir)).rejects.toThrow("in use");
  });

  test("notices it before a write when it has not looked for a second", async () => {
    const dir = await makeTempDir();
    const holder = await hold(dir);
    await writeFile(join(dir, "owner"), JSON.stringify({ nonce: "0123456789abcdef", pid: 1, socket: "none" }));
    holder.assertHeld();
    await holder.machine.advance(1_001);
    expect(holder.assertHeld).toThrow("was taken by process 1");
  });

  test("makes an owner anew that was removed, and not one of a folder that is gone", async () => {
    const dir = await makeTempDir();
    const holder = await hold(dir);
    await rm(join(dir, "owner"));
    holder.confirmHeld();
    await expect(hold(dir)).rejects.toThrow("in use");
    await rm(dir, { recursive: true });
    expect(holder.confirmHeld).toThrow("is no longer there");
  });
});

test("a lock of the older form counts as long as its pid is a Sheaf's", async () => {
  const dir = await makeTempDir();
  const lock = join(dir, "lock");
  const sheaf = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "headless.ts"]);
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "sheaf-notes.txt"]);
  onTestFinished(() => void [sheaf, other].map((child) => child.kill("SIGKILL")));
  await writeFile(lock, `${sheaf.pid}\n`);
  await expect(lockDataDir(dir, { machine })).rejects.toThrow(`in use by process ${sheaf.pid}.`);
  sheaf.kill("SIGKILL");
  await once(sheaf, "exit");
  for (const stale of [`${sheaf.pid}\n`, `${other.pid}\n`, `${process.pid}\n`, "", "rubbish"]) {
    await writeFile(lock, stale);
    (await lockDataDir(dir, { machine })).release();
    expect(await readdir(dir)).toEqual([]);
  }
});
