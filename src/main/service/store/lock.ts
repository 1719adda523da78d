import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createConnection, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { isErrno } from "../io/index.ts";
import type { Machine } from "../ports.ts";
import { DataDirError } from "./data-dir-error.ts";

/** The longest path that every system takes for a socket, in bytes. */
const longestPath = 103;
/** How long an answer is awaited of a process that is there, in milliseconds: a busy one holds the folder all the same. */
const answerLimit = 2_000;
/** Between two looks at a process that has not decided yet, in milliseconds. */
const lookInterval = 10;
const mostClaims = 20;

/** Where the sockets of a folder are, and what their names begin with. */
interface Place {
  readonly dir: string;
  readonly prefix: string;
}

/**
 * Takes a data folder for this process. Who holds it is who answers on a local socket in it: a pid may belong to another
 * program by now, or to another container. Rejects with a DataDirError when someone does; the answer gives the folder back.
 *
 * Each process claims with a socket of a name that is never used again, then looks at the others. One that holds the folder
 * wins, of two that claim it the one with the lower name; a socket that no one answers is a dead process's and is removed.
 * A claim becomes a hold when no one else is undecided and its own name still answers with its own nonce. The claim is there
 * before the look, so of two processes the later one always sees the other.
 */
export async function lockDataDir(dir: string, machine: Machine): Promise<() => void> {
  const folder = realpathSync(dir);
  removeOldLock(folder, dir);
  if (process.platform === "win32") return lockByPipe(folder, dir, machine);
  let place: Place = { dir: folder, prefix: "lock-" };
  for (let claim = 1; claim <= mostClaims; claim++) {
    const release = await claimIn(place, dir, machine);
    if (release === "no_sockets") place = findTemporaryPlace(folder);
    else if (release !== null) return release;
  }
  throw new Error(`The data folder ${dir} can't be locked.`);
}

/** For paths that are too long for a socket, and disks that have none: the folder's hash stands for it. */
function findTemporaryPlace(folder: string): Place {
  const temporary = tmpdir();
  return { dir: temporary.length > 50 ? "/tmp" : temporary, prefix: `sheaf-${hashOf(folder)}-` };
}

/** Null when its socket was taken for a dead one's, between its making and the first answer. */
async function claimIn(place: Place, dir: string, machine: Machine): Promise<(() => void) | "no_sockets" | null> {
  const nonce = randomBytes(8).toString("hex");
  const path = pathOf(place, nonce);
  if (Buffer.byteLength(path) > longestPath) return "no_sockets";
  let state: State = "claims";
  let server: Server;
  try {
    server = await listen(path, () => `${state} ${process.pid} ${nonce}\n`);
  } catch (error) {
    if (["ENOTSUP", "EPERM", "EINVAL", "ENOSYS"].some((code) => isErrno(error, code))) return "no_sockets";
    throw error;
  }
  try {
    while (await isUndecided(place, nonce, dir, machine)) await machine.sleep(lookInterval);
    const own = await ask(path, machine);
    if (own?.nonce === nonce) {
      state = "holds";
      return () => server.close();
    }
    server.close();
    return null;
  } catch (error) {
    server.close();
    throw error;
  }
}

/** Whether another process claims the folder too and may still get it. Throws when one has it or goes before. */
async function isUndecided(place: Place, nonce: string, dir: string, machine: Machine): Promise<boolean> {
  let isOpen = false;
  for (const other of readdirSync(place.dir).flatMap((name) => readNonce(place, name))) {
    if (other === nonce) continue;
    const answer = await ask(pathOf(place, other), machine);
    if (answer === null) rmSync(pathOf(place, other), { force: true });
    else if (answer.state === "holds" || other < nonce) throw inUse(dir, answer.pid);
    else isOpen = true;
  }
  return isOpen;
}

function pathOf({ dir, prefix }: Place, nonce: string): string {
  return join(dir, `${prefix}${nonce}.sock`);
}

function readNonce({ prefix }: Place, name: string): string[] {
  const nonce = name.startsWith(prefix) ? name.slice(prefix.length, -".sock".length) : "";
  return /^[0-9a-f]{16}$/.test(nonce) && name.endsWith(".sock") ? [nonce] : [];
}

type State = "claims" | "holds";

/** A process's answer about itself; one that doesn't answer in time is taken to hold the folder. */
interface Answer {
  readonly state: State;
  readonly pid: number | null;
  readonly nonce: string | null;
}

const silent: Answer = { state: "holds", pid: null, nonce: null };

/** Asks the process that listens on a socket; null when none does. One that breaks off is asked again. */
async function ask(path: string, machine: Machine): Promise<Answer | null> {
  const deadline = machine.monotonic() + answerLimit;
  while (machine.monotonic() < deadline) {
    const answer = await askOnce(path, machine);
    if (answer !== "broken_off") return answer;
    await machine.sleep(lookInterval);
  }
  return silent;
}

async function askOnce(path: string, machine: Machine): Promise<Answer | "broken_off" | null> {
  const { promise, resolve } = Promise.withResolvers<Answer | "broken_off" | null>();
  let text = "";
  const socket = createConnection(path)
    .setEncoding("utf8")
    .on("data", (chunk: string) => {
      text += chunk;
    })
    .on("end", () => resolve(text === "" ? "broken_off" : readAnswer(text)))
    .on("error", (error) => {
      const isDead = isErrno(error, "ECONNREFUSED") || isErrno(error, "ENOENT");
      resolve(isDead ? null : isErrno(error, "ECONNRESET") ? "broken_off" : silent);
    });
  const cancel = machine.after(answerLimit, () => resolve(silent));
  try {
    return await promise;
  } finally {
    cancel();
    socket.destroy();
  }
}

function readAnswer(text: string): Answer {
  const [, state, pid, nonce] = /^(claims|holds) (\d+) ([0-9a-f]{16})\n$/.exec(text) ?? [];
  if (pid === undefined || nonce === undefined) return silent;
  return { state: state === "claims" ? "claims" : "holds", pid: Number(pid), nonce };
}

/** Rejects when the socket can't be had. It does not keep the process alive. */
async function listen(path: string, answer: () => string): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const server = createServer((socket) => socket.on("error", () => {}).end(answer()));
  server.once("error", reject);
  server.listen(path, () => resolve());
  await promise;
  return server.unref();
}

/** A named pipe can be had once, and is gone with its process. */
async function lockByPipe(folder: string, dir: string, machine: Machine): Promise<() => void> {
  const path = `\\\\.\\pipe\\sheaf-${hashOf(folder)}`;
  const nonce = randomBytes(8).toString("hex");
  try {
    const server = await listen(path, () => `holds ${process.pid} ${nonce}\n`);
    return () => server.close();
  } catch {
    throw inUse(dir, (await ask(path, machine))?.pid ?? null);
  }
}

function hashOf(folder: string): string {
  return createHash("sha256").update(folder).digest("hex").slice(0, 16);
}

/** The lock was a file with a pid once. Such a file counts as long as its pid is a Sheaf's. */
function removeOldLock(folder: string, dir: string): void {
  const path = join(folder, "lock");
  let pid: number;
  try {
    pid = Number.parseInt(readFileSync(path, "utf8"), 10);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return;
    throw error;
  }
  if (pid > 0 && pid !== process.pid && isSheaf(pid)) throw inUse(dir, pid);
  rmSync(path, { force: true });
}

/** Whether a process is a Sheaf, judged by the command that it was started with. */
function isSheaf(pid: number): boolean {
  const [program = "", ...words] = readCommand(pid).map((word) => basename(word.replaceAll("\\", "/")).toLowerCase());
  return /^(sheaf|electron)(\.exe)?$/.test(program) || words.some((word) => /^headless\.[jt]s$/.test(word));
}

function readCommand(pid: number): string[] {
  const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: "utf8" }).stdout ?? "";
  switch (process.platform) {
    case "linux":
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      } catch {
        return [];
      }
    case "win32": {
      const query = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`;
      return Array.from(run("powershell", "-NoProfile", "-Command", query).matchAll(/"([^"]*)"|(\S+)/g), (match) =>
        String(match[1] ?? match[2]),
      );
    }
    default:
      return run("ps", "-ww", "-o", "args=", "-p", String(pid)).trim().split(" ");
  }
}

function inUse(dir: string, pid: number | null): DataDirError {
  const who = pid === null ? "another process" : `process ${pid}`;
  return new DataDirError(
    "data_dir_in_use",
    `The data folder ${dir} is in use by ${who}. Stop that process, or start with another folder.`,
  );
}
