const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "permission denied. Check its owner and its permissions",
  EPERM: "permission denied. Check its owner and its permissions",
  EISDIR: "it is a folder",
  ENOTDIR: "part of the path is not a folder. Check the path",
  ENOSPC: "the disk is full. Make room, then try again",
  EDQUOT: "your quota of the disk is used up. Make room, then try again",
  EROFS: "the disk is read-only. Make it writable, or choose another folder",
  EBUSY: "it is open in another program. Close it there, or choose another name",
  EEXIST: "it is there already. Choose another name",
  EIO: "the disk fails. Try again, or choose another folder",
  ELOOP: "its links form a loop. Choose another path",
  ENAMETOOLONG: "the name is too long. Choose a shorter one",
  ENOTEMPTY: "the folder is not empty. Choose another one",
  EXDEV: "it is on another disk. Choose another folder",
  EMFILE: "too many files are open. Raise the limit (ulimit -n), or close some",
};

/** On Windows, a file that is open in a spreadsheet. */
const notReplaced = "it is open in another program, or can't be replaced. Close it there, or choose another name";

/** Why the system refused a path, without its own words; null for any other error. */
export function describeFileReason(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return null;
  if (code === "EPERM" && syscall === "rename") return notReplaced;
  return reasons[code] ?? `the system refused it (${code})`;
}
