import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { partialPathOf } from "#main/storage";
import { describeFileError, describeSystemError } from "./cli-error.ts";

const fail = (code: string, syscall: string, paths: { path?: string; dest?: string } = {}) =>
  Object.assign(new Error(`${code}: words of the system, ${syscall} '${paths.path}'`), { code, syscall, ...paths });

test("what the system refuses is said without its own words, and names the file that the user knows", () => {
  const part = partialPathOf("/home/me/out.csv");
  const messages = [
    fail("EACCES", "open", { path: "/data/journal.jsonl" }),
    fail("EBUSY", "rename", { path: part, dest: "/home/me/out.csv" }),
    // Windows, for a file that a spreadsheet has open.
    fail("EPERM", "rename", { path: part, dest: "/home/me/out.csv" }),
    fail("EACCES", "open", { path: part }),
    fail("EUNKNOWN", "read", { path: "/a" }),
    fail("ENOENT", "mkdtemp", { path: "/none/sheaf-XXXXXX" }),
  ].map((error) => describeSystemError(error)?.message);
  expect(messages).toEqual([
    "/data/journal.jsonl: permission denied. Check its owner and its permissions.",
    "/home/me/out.csv: it is open in another program. Close it there, or choose another name.",
    "/home/me/out.csv: it is open in another program, or can't be replaced. Close it there, or choose another name.",
    "/home/me/out.csv: permission denied. Check its owner and its permissions.",
    "/a: the system refused it (EUNKNOWN).",
    `The folder for temporary files, ${tmpdir()}, can't be used: there is no such file or folder. Set TMPDIR to another folder.`,
  ]);
  expect(describeSystemError(new Error("A fault of ours"))).toBeNull();
  expect(describeSystemError(fail("ECONNREFUSED", "connect"))).toBeNull();
  expect(describeFileError(fail("EUNKNOWN", "open"), "x").message).toBe("x: the system refused it (EUNKNOWN).");
});
