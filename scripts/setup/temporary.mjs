import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Where Linux keeps files in memory. */
const memory = "/dev/shm";

/** What all tests together may write there before it is too small, in bytes. */
const least = 8 * 1024 ** 3;

/**
 * The folder for what tests write. In memory a flush costs nothing, and tests flush thousands of times; where there is no such
 * folder, or too little room in it, the system's own.
 * @param {{ folder?: string, room?: number }} [options] `room` is the least free space, in bytes
 */
export function chooseTemporary({ folder = memory, room = least } = {}) {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= room ? folder : tmpdir();
  } catch {
    return tmpdir();
  }
}
