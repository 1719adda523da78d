import { expect, test } from "vitest";
import { describeError } from "./describe-error.ts";
import { describeFolder, readChunk, sortDropped } from "./read-file.ts";

test("a file that was moved or changed while it was read is named, without the browser's words", async () => {
  const refuse = async () => {
    throw new DOMException("The requested file could not be read.", "NotReadableError");
  };
  const file = Object.assign(new File(["a,b"], "orders.csv"), { slice: () => ({ arrayBuffer: refuse }) });
  const error = await readChunk(file as unknown as File, 0, 3).catch((failure: unknown) => failure);
  expect(describeError(error)).toMatchObject({
    message: "“orders.csv” was moved or changed while it was read. Choose it again.",
    details: expect.stringContaining("NotReadableError"),
  });
  expect(await (await readChunk(new File(["a,b"], "orders.csv"), 0, 1)).text()).toBe("a");
});

test("of what is dropped, folders are told from files", () => {
  const item = (name: string, isDirectory: boolean) => ({
    kind: "file",
    webkitGetAsEntry: () => ({ name, isDirectory }),
  });
  const files = [new File(["a"], "a.csv"), new File([], "Reports")];
  const items = [item("a.csv", false), item("Reports", true), { kind: "string" }];
  const dropped = sortDropped({ files, items } as unknown as DataTransfer);
  expect([dropped.files.map(({ name }) => name), dropped.folders]).toEqual([["a.csv"], ["Reports"]]);
  expect(describeFolder("Reports").message).toContain("drop the files in it");
  expect(sortDropped(null)).toEqual({ files: [], folders: [] });
});
