import { expect, test } from "vitest";
import { clearMemoized, memoize } from "./memoize.ts";

test("what was read is read once, until so many others came or all is forgotten", () => {
  let reads = 0;
  const read = memoize((of: { readonly name: string }) => {
    reads += 1;
    return { name: of.name };
  });
  const [first, ...others] = Array.from({ length: 12 }, (_, at) => ({ name: `${at}` }));
  if (first === undefined) throw new Error("There is none.");
  expect(read(first)).toBe(read(first));
  expect(reads).toBe(1);
  for (const other of others) read(other);
  const before = reads;
  read(first);
  expect(reads).toBe(before + 1);
  clearMemoized();
  read(first);
  expect(reads).toBe(before + 2);
});
