import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "#main/base";
import { ServiceError } from "#main/base";
import type { WriteGuard } from "../io/durability.ts";
import { isErrno } from "../io/error.ts";
import type { Greeting, LockSocket } from "./lock-socket.ts";
import { type Owner, readOwner, replaceOwner, stampOf } from "./owner.ts";

/** Between two looks of a process at the folder that it holds, in milliseconds. */
const lookInterval = 1_000;

const claimForm = /^claim-[0-9a-f]{16}$/;

/** Where a newcomer asks whether there is a holder that it can't find, and where that holder answers. */
export const claimOf = (folder: string, nonce: string): string => join(folder, `claim-${nonce}`);
export const answerTo = (claim: string): string => `${claim}.held`;

/** A folder that this process holds. */
export interface HeldFolder extends WriteGuard {
  /** Gives the folder back. */
  release(): void;
}

interface HoldDeps {
  readonly folder: string;
  readonly ownerPath: string;
  /** What `owner` has. */
  readonly own: Owner;
  /** What the socket answers with. */
  readonly self: Greeting;
  readonly socket: LockSocket;
  readonly machine: Machine;
  readonly onLost: (reason: ServiceError) => void;
}

/** Holds a folder whose `owner` names this process: once a second it looks whether that is still so, and answers newcomers. */
export function holdFolder({ folder, ownerPath, own, self, socket, machine, onLost }: HoldDeps): HeldFolder {
  let lost: ServiceError | null = null;
  let stamp: string | null = null;
  let lookedAt = machine.monotonic();

  let isReleased = false;

  function confirmHeld(): void {
    if (lost !== null) throw lost;
    if (isReleased) throw new ServiceError("data_dir_lost", "This Sheaf has given its data folder back.");
    const now = stampOf(ownerPath);
    // A file is read only where it is another one: that takes a handle, and there may be none left.
    if (now === null || now !== stamp) {
      const owner = readOwner(ownerPath) ?? makeOwner();
      if (owner?.nonce !== own.nonce) throw lose(owner);
      stamp = stampOf(ownerPath);
    }
    lookedAt = machine.monotonic();
  }

  /** `owner` was removed: it is made anew, unless another process was faster. Null where the folder itself is gone. */
  function makeOwner(): Owner | null {
    try {
      return replaceOwner(ownerPath, null, own) ? own : readOwner(ownerPath);
    } catch (error) {
      if (isErrno(error, "ENOENT")) return null;
      throw error;
    }
  }

  function lose(owner: Owner | null): ServiceError {
    const by = owner?.pid ? `process ${owner.pid}` : "another process";
    const what = owner === null ? "is no longer there" : `was taken by ${by}`;
    lost = new ServiceError("data_dir_lost", `The data folder ${what}: nothing more is stored. Stop this Sheaf.`);
    stopLooking();
    onLost(lost);
    return lost;
  }

  function look(): void {
    try {
      confirmHeld();
      socket.renew();
      for (const name of readdirSync(folder).filter((entry) => claimForm.test(entry))) {
        writeFileSync(answerTo(join(folder, name)), `${process.pid}\n`, { mode: 0o600 });
      }
    } catch {
      // A lost folder is reported by `lose`; anything else is tried again in a second, and with the next write.
    }
  }

  const stopLooking = machine.every(lookInterval, look, { unref: true });
  self.state = "holds";
  look();
  return {
    get lost() {
      return lost;
    },
    assertHeld() {
      if (lost !== null || isReleased || machine.monotonic() - lookedAt > lookInterval) confirmHeld();
    },
    confirmHeld,
    release() {
      stopLooking();
      isReleased = true;
      self.state = "claims";
      try {
        // Before the socket: an owner without one would have the next process wait.
        if (lost === null && readOwner(ownerPath)?.nonce === own.nonce) rmSync(ownerPath, { force: true });
      } catch {
        // A disk that refuses: the next process finds a socket that refuses, too.
      } finally {
        socket.close();
      }
    },
  };
}
