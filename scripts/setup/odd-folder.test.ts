import { expect, test } from "vitest";
import { describeOddFolder } from "./odd-folder.mjs";

test("a folder that the build can't be made in is named, with what to do", () => {
  expect(describeOddFolder("/home/me/Sheaf (1)/é/")).toBeUndefined();
  expect(describeOddFolder("/home/me/C#/sheaf/")).toBe(
    "Sheaf can't be built below a folder with # in its name: /home/me/C#/sheaf/. Move or rename it, then run the command again.",
  );
});
