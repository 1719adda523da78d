import { randomBytes } from "node:crypto";
import { realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine, ServiceError } from "#main/base";
import { withFileLock } from "../io/file-lock.ts";
import { DataDirError } from "./data-dir-error.ts";
import { answerTo, claimOf, type HeldFolder, holdFolder } from "./hold-folder.ts";
import { askSocket, type Greeting, listSockets, openLockSocket } from "./lock-socket.ts";
import { findOldLock } from "./old-lock.ts";
import { type Owner, readOwner, readText, replaceOwner } from "./owner.ts";

/** How long a newcomer waits for a holder whose socket it can't find, in milliseconds: three looks of the holder. */
const claimDuration = 3_000;
/** Between two looks of such a newcomer for an answer, in milliseconds. */
const answerInterval = 100;

interface LockDeps {
  readonly machine: Machine;
  /** Called once, when another process has taken the folder, or the folder is gone. */
  readonly onLost?: (reason: ServiceError) => void;
}

/**
 * Takes a data folder for this process. Rejects with a DataDirError where another one holds it.
 *
 * Who holds it is named by the file `owner`, with a nonce that is never used again and a local socket, on which that process
 * answers. A socket that refuses is a dead process's. One that can't be found (it was removed, or is in a folder that is not
 * to be seen from here) tells nothing: then `claim-<nonce>` asks the holder, who looks once a second and answers beside it.
 * Of two newcomers the one that replaces `owner` as both have read it gets the folder.
 */
export async function lockDataDir(dir: string, { machine, onLost = () => {} }: LockDeps): Promise<HeldFolder> {
  const folder = realpathSync(dir);
  const ownerPath = join(folder, "owner");
  const oldHolder = findOldLock(folder);
  if (oldHolder !== null) throw inUse(dir, oldHolder);
  const self: Greeting = { state: "claims", pid: process.pid, nonce: randomBytes(8).toString("hex") };
  const socket = await openLockSocket(folder, self);
  if (socket === null) throw inUse(dir, readOwner(ownerPath)?.pid ?? null);
  const own: Owner = { nonce: self.nonce, pid: self.pid, socket: socket.address };

  /** Sockets that refused, which are removed: their names are never used again. */
  const dead = new Set<string>();

  /** Removes the sockets of dead processes. One of a Sheaf that knows no `owner` may hold the folder all the same. */
  async function refuseOtherSockets(): Promise<void> {
    for (const address of listSockets(folder)) {
      if (address === own.socket) continue;
      const answer = await askSocket(folder, address, machine);
      if (answer === "refused") {
        dead.add(address);
        rmSync(join(folder, address), { force: true });
      } else if (answer === "silent") throw inUse(dir, null);
      else if (answer !== "not_found" && answer.state === "holds") throw inUse(dir, answer.pid);
    }
  }

  /** Throws where an owner is alive. */
  async function refuseLiving(owner: Owner): Promise<void> {
    if (owner.socket !== null && dead.has(owner.socket)) return;
    const answer = owner.socket === null ? "not_found" : await askSocket(folder, owner.socket, machine);
    if (answer === "not_found") await claimFrom(owner);
    else if (answer === "silent" || (answer !== "refused" && answer.nonce === owner.nonce)) throw inUse(dir, owner.pid);
  }

  /** Asks an owner that can't be found by a file in the folder, and writes nothing else. Throws when it answers. */
  async function claimFrom(owner: Owner): Promise<void> {
    const claim = claimOf(folder, self.nonce);
    writeFileSync(claim, "", { mode: 0o600 });
    try {
      const end = machine.monotonic() + claimDuration;
      while (machine.monotonic() < end) {
        await machine.sleep(answerInterval);
        const answer = readText(answerTo(claim));
        if (answer !== null) throw inUse(dir, Number.parseInt(answer, 10) || owner.pid);
        if (readOwner(ownerPath)?.nonce !== owner.nonce) return;
      }
    } finally {
      rmSync(claim, { force: true });
      rmSync(answerTo(claim), { force: true });
    }
  }

  try {
    await refuseOtherSockets();
    for (let isTaken = false; !isTaken; ) {
      const owner = readOwner(ownerPath);
      if (owner !== null) await refuseLiving(owner);
      isTaken = await withFileLock(ownerPath, async () => replaceOwner(ownerPath, owner, own), machine);
    }
    return holdFolder({ folder, ownerPath, own, self, socket, machine, onLost });
  } catch (error) {
    socket.close();
    throw error;
  }
}

function inUse(dir: string, pid: number | null): DataDirError {
  const who = pid === null ? "another process" : `process ${pid}`;
  return new DataDirError(
    "data_dir_in_use",
    `The data folder ${dir} is in use by ${who}. Stop that process, or start with another folder.`,
  );
}
