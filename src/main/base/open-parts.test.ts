import { expect, test } from "vitest";
import { openParts } from "./open-parts.ts";

/** Three parts, of which one can't be opened and another can't be closed, where they are named. */
function openThree({ unopened, unclosed }: { readonly unopened?: string; readonly unclosed?: string }) {
  const closed: string[] = [];
  const opening = openParts<{ readonly name: string }, [wait: number]>(async (parts) => {
    for (const name of ["first", "second", "third"]) {
      if (name === unopened) throw new Error(`The ${name} can't be opened.`);
      parts.defer(async (wait) => {
        closed.push(`${name} ${wait}`);
        if (name === unclosed) throw new Error(`The ${name} can't be closed.`);
      });
    }
    return { name: "all" };
  }, 5);
  return { opening, closed };
}

test("parts are closed in the reverse order, each once, also when another can't be closed", async () => {
  const { opening, closed } = openThree({ unclosed: "third" });
  const opened = await opening;
  expect(opened.name).toBe("all");
  const ends = await Promise.allSettled([opened.close(7), opened.close(7)]);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(closed).toEqual(["third 7", "second 7", "first 7"]);
});

test("where a part can't be opened, those before it are closed, and the reason is that of the opening", async () => {
  const { opening, closed } = openThree({ unopened: "third", unclosed: "second" });
  await expect(opening).rejects.toThrow("The third can't be opened.");
  expect(closed).toEqual(["second 5", "first 5"]);
});
