import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Where Linux keeps files in memory. */
const memory = "/dev/shm";

/** The least free space there, in bytes: as much as all tests write. */
const least = 8 * 1024 ** 3;

/**
 * Chooses the folder for test files: in memory, where flushes cost nothing, else the system's own. Tests flush thousands of
 * times.
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
