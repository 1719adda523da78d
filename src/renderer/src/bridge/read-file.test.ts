import { expect, test, vi } from "vitest";
import { describeError } from "./describe-error.ts";
import { describeFolder, readChunk, sortDropped } from "./read-file.ts";

test("a file that was moved or changed while it was read is named, without the browser's words", async () => {
  const part = new Blob(["a,b"]);
  vi.spyOn(part, "arrayBuffer").mockRejectedValue(new DOMException("It could not be read.", "NotReadableError"));
  const file = { name: "orders.csv", slice: () => part };
  const error = await readChunk(file, 0, 3).catch((failure: unknown) => failure);
  expect(describeError(error)).toMatchObject({
    message: "“orders.csv” was moved or changed while it was read. Choose it again.",
    details: expect.stringContaining("NotReadableError"),
  });
  expect(await (await readChunk(new File(["a,b"], "orders.csv"), 0, 1)).text()).toBe("a");
});

test("of what is dropped, folders are told from files, also from one of the same name; text is neither", () => {
  const item = (name: string, isDirectory: boolean) => ({
    getAsFile: () => new File([], name),
    webkitGetAsEntry: () => ({ name, isDirectory }),
  });
  const text = { getAsFile: () => null, webkitGetAsEntry: () => null };
  const items = [item("a.csv", false), item("Reports", true), text, item("Reports", false)];
  const dropped = sortDropped({ items });
  expect([dropped.files.map(({ name }) => name), dropped.folders]).toEqual([["a.csv", "Reports"], ["Reports"]]);
  expect(describeFolder("Reports").message).toContain("drop the files in it");
  expect(sortDropped(null)).toEqual({ files: [], folders: [] });
});
