import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { createConnection, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Machine } from "#main/base";
import { isErrno } from "../io/error.ts";

/** The longest path that every system takes for a socket, in bytes. */
const longestPath = 103;
/** How long an answer is awaited of a process that is there, in milliseconds: a busy one holds the folder all the same. */
const answerLimit = 2_000;
/** Before a socket that refused or broke off is asked once more, in milliseconds: it may just be being made. */
const retryDelay = 10;

/** What a process says on its socket: whether it holds the folder or is about to find out, and who it is. */
export interface Greeting {
  state: "claims" | "holds";
  readonly pid: number;
  readonly nonce: string;
}

/** `refused`: its process is dead. `silent`: there is a process, but it doesn't answer. `not_found`: it can't be told from here. */
export type Answer = Greeting | "refused" | "silent" | "not_found";

/** A socket that this process answers on. */
export interface LockSocket {
  /** As others find it: a name in the folder, a path elsewhere, or a pipe. */
  readonly address: string;
  /** Makes it anew where its file is gone. */
  renew(): void;
  close(): void;
}

/**
 * Answers on a socket in the folder, by the name of its nonce. On a disk that has no sockets it is in the folder for
 * temporary files. On Windows it is a pipe, which can be had once: null when another process has it.
 */
export async function openLockSocket(folder: string, self: Greeting): Promise<LockSocket | null> {
  if (process.platform === "win32") {
    const address = `\\\\.\\pipe\\sheaf-${hashOf(folder)}`;
    try {
      const server = await listen(address, self);
      return { address, renew: () => {}, close: () => server.close() };
    } catch (error) {
      if (isErrno(error, "EADDRINUSE") || isErrno(error, "EACCES")) return null;
      throw error;
    }
  }
  const name = `lock-${self.nonce}.sock`;
  try {
    return await listenAt(folder, name, self);
  } catch (error) {
    if (!["ENOTSUP", "EPERM", "EINVAL", "ENOSYS"].some((code) => isErrno(error, code))) throw error;
    return await listenAt(folder, join(findTemporary(), `sheaf-${hashOf(folder)}-${self.nonce}.sock`), self);
  }
}

/** The sockets that are in the folder, as addresses. */
export function listSockets(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^lock-[0-9a-f]{16}\.sock$/.test(name));
}

/** Asks the process that listens at an address. */
export async function askSocket(folder: string, address: string, machine: Machine): Promise<Answer> {
  const path = resolve(folder, address);
  const deadline = machine.monotonic() + answerLimit;
  let answer = await askOnce(path, machine);
  if (answer === "refused") {
    await machine.sleep(retryDelay);
    answer = await askOnce(path, machine);
  }
  while (answer === "broken_off" && machine.monotonic() < deadline) {
    await machine.sleep(retryDelay);
    answer = await askOnce(path, machine);
  }
  return answer === "broken_off" ? "silent" : answer;
}

async function listenAt(folder: string, address: string, self: Greeting): Promise<LockSocket> {
  const path = resolve(folder, address);
  let server = await withShortPath(path, (short) => listen(short, self));
  let renewing = false;
  let closed = false;

  async function renew(): Promise<void> {
    server.close();
    server = await withShortPath(path, (short) => listen(short, self));
    if (closed) close();
  }

  function close(): void {
    closed = true;
    server.close();
    try {
      rmSync(path, { force: true });
    } catch {
      // A disk that refuses: the next process removes it.
    }
  }

  return {
    address,
    renew() {
      if (renewing || closed || existsSync(path)) return;
      renewing = true;
      renew()
        // The next look tries again.
        .catch(() => {})
        .finally(() => {
          renewing = false;
        });
    },
    close,
  };
}

/** Calls `use` with a path that is short enough for a socket: by way of a link to its folder, if need be. */
async function withShortPath<T>(path: string, use: (short: string) => Promise<T>): Promise<T> {
  if (process.platform === "win32" || Buffer.byteLength(path) <= longestPath) return await use(path);
  const links = mkdtempSync(join(findTemporary(), "sheaf-"));
  try {
    symlinkSync(dirname(path), join(links, "to"));
    return await use(join(links, "to", basename(path)));
  } finally {
    rmSync(links, { recursive: true, force: true });
  }
}

/** The system's folder for temporary files, where its path leaves room for a socket. */
function findTemporary(): string {
  const temporary = tmpdir();
  return temporary.length > 50 ? "/tmp" : temporary;
}

/** Rejects when the socket can't be had. It does not keep the process alive. */
async function listen(path: string, self: Greeting): Promise<Server> {
  const { promise, resolve: listening, reject } = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.on("error", () => {}).end(`${self.state} ${self.pid} ${self.nonce}\n`);
  });
  server.once("error", reject);
  server.listen(path, listening);
  await promise;
  return server.unref();
}

async function askOnce(path: string, machine: Machine): Promise<Answer | "broken_off"> {
  const { promise, resolve: answered } = Promise.withResolvers<Answer | "broken_off">();
  const cancel = machine.after(answerLimit, () => answered("silent"));
  try {
    return await withShortPath(path, async (short) => {
      let text = "";
      const socket = createConnection(short)
        .setEncoding("utf8")
        .on("data", (chunk: string) => {
          text += chunk;
        })
        .on("end", () => answered(text === "" ? "broken_off" : readGreeting(text)))
        .on("error", (error) => answered(readFailure(error)));
      try {
        return await promise;
      } finally {
        socket.destroy();
      }
    });
  } finally {
    cancel();
  }
}

function readFailure(error: unknown): Answer | "broken_off" {
  if (isErrno(error, "ECONNREFUSED")) return "refused";
  if (isErrno(error, "ECONNRESET")) return "broken_off";
  // EACCES: in a folder of another user, such as the one for temporary files.
  return ["ENOENT", "ENOTDIR", "EACCES"].some((code) => isErrno(error, code)) ? "not_found" : "silent";
}

function readGreeting(text: string): Answer {
  const [, state, pid, nonce] = /^(claims|holds) (\d+) ([0-9a-f]{16})\n$/.exec(text) ?? [];
  if (pid === undefined || nonce === undefined) return "silent";
  return { state: state === "claims" ? "claims" : "holds", pid: Number(pid), nonce };
}

function hashOf(folder: string): string {
  return createHash("sha256").update(folder).digest("hex").slice(0, 16);
}
