import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ServiceError } from "#main/base";
import { describeKnownError } from "./known-error.ts";

const withCode = (code: string, more: object = {}) => Object.assign(new Error(`It says ${code}.`), { code, ...more });

test.each([
  ["a failure of the service", new ServiceError("file_damaged", "It is damaged."), "file_damaged"],
  ["one that has crossed the border of a thread", withCode("service_closing"), "service_closing"],
  ["a full disk", withCode("ENOSPC"), "disk_full"],
  ["a folder where a file was", withCode("EISDIR", { path: "/data/files/file-1" }), "file_damaged"],
  ["a thread without memory", withCode("ERR_WORKER_OUT_OF_MEMORY"), "out_of_memory"],
  ["a text that is too long", withCode("ERR_STRING_TOO_LONG"), "out_of_memory"],
  ["memory that is not there", new RangeError("Array buffer allocation failed"), "out_of_memory"],
  ["a cause within another error", new Error("Oh.", { cause: withCode("ENOTDIR", { path: "/a" }) }), "file_damaged"],
])("the cause is known of %s", (_, error, code) => {
  expect(describeKnownError(error)).toMatchObject({ code });
});

test.each([
  ["a mistake in the code", new TypeError("x is not a function")],
  ["a failure that says no more itself", new ServiceError("internal_error", "Oh.")],
  ["a program that can't be started", withCode("ENOENT", { path: "npm", syscall: "spawn npm" })],
  ["what is no error", "text"],
])("the cause is not known of %s", (_, error) => {
  expect(describeKnownError(error)).toBeNull();
});

test("a missing file is named without its folder", async () => {
  const error: unknown = await readFile("/nowhere/files/file-1").catch((failure: unknown) => failure);
  const message = "The file file-1 is missing (ENOENT). Check the data folder.";
  expect(describeKnownError(error)).toMatchObject({ code: "file_damaged", message });
});
