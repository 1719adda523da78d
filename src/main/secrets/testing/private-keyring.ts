import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const programs = ["dbus-daemon", "dbus-send", "gnome-keyring-daemon"];

/** Why there can be no keyring here; null where there can. */
export const lackingForKeyring = findLack();

function findLack(): string | null {
  if (process.platform !== "linux") return "the tests of the keychain need Linux";
  const folders = (process.env.PATH ?? "").split(":");
  const lacking = programs.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  if (!existsSync(new URL("../../../../node_modules/keytar/build/Release/keytar.node", import.meta.url))) {
    lacking.push("keytar, which needs libsecret");
  }
  return lacking.length === 0 ? null : `the tests of the keychain need ${lacking.join(", ")}`;
}

/** A bus and, once it is started, a gnome-keyring on it, with a home of its own. No one's real keyring is touched. */
export interface PrivateKeyring extends AsyncDisposable {
  /** For programs that are to use it. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts the keyring; unlocked with its password, or locked as it is before someone logs in. */
  start(state: "unlocked" | "locked"): Promise<void>;
  /** Locks it while it runs. */
  lock(): Promise<void>;
  /** Lets it hang: it takes calls and answers none. */
  freeze(): void;
  /** Ends it; the bus stays. */
  stop(): Promise<void>;
}

const busConfig = (folder: string) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir=${folder}</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>`;

export async function openPrivateKeyring(): Promise<PrivateKeyring> {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-keyring-"));
  await mkdir(join(folder, "run"), { mode: 0o700 });
  await writeFile(join(folder, "bus.conf"), busConfig(folder));
  const { DISPLAY: _, WAYLAND_DISPLAY: __, DBUS_SESSION_BUS_ADDRESS: ___, ...inherited } = process.env;
  const bare = {
    PATH: inherited.PATH ?? "",
    HOME: folder,
    XDG_RUNTIME_DIR: join(folder, "run"),
    // Each call of the keychain is a process that loads the same code.
    ...(inherited.NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE: inherited.NODE_COMPILE_CACHE }),
  };

  const bus = spawn("dbus-daemon", [`--config-file=${join(folder, "bus.conf")}`, "--nofork", "--print-address"], {
    env: bare,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [address] = await once(createInterface({ input: bus.stdout }), "line");
  const env = { ...bare, DBUS_SESSION_BUS_ADDRESS: String(address) };
  const send = async (...args: string[]) =>
    (await run("dbus-send", ["--session", "--print-reply", ...args], { env, encoding: "utf8" })).stdout;
  let keyring: ChildProcess | null = null;

  async function isReady(): Promise<boolean> {
    const owner = ["--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner"];
    return (await send(...owner, "string:org.freedesktop.secrets")).includes("true");
  }

  async function stop(): Promise<void> {
    if (keyring === null) return;
    const ended = once(keyring, "exit");
    keyring.kill("SIGKILL");
    await ended;
    keyring = null;
  }

  return {
    env,
    async start(state) {
      const args = ["--foreground", "--components=secrets", ...(state === "unlocked" ? ["--unlock"] : [])];
      const started = spawn("gnome-keyring-daemon", args, { env, stdio: ["pipe", "ignore", "ignore"] });
      started.stdin.end("password");
      keyring = started;
      while (!(await isReady())) {
        if (started.exitCode !== null) throw new Error("The keyring did not start.");
        // Each question is a process, and takes the time that the keyring needs to start.
        await wait(20);
      }
    },
    async lock() {
      const collection = "array:objpath:/org/freedesktop/secrets/collection/login";
      await send(
        "--dest=org.freedesktop.secrets",
        "/org/freedesktop/secrets",
        "org.freedesktop.Secret.Service.Lock",
        collection,
      );
    },
    freeze: () => void keyring?.kill("SIGSTOP"),
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      const ended = once(bus, "exit");
      bus.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
