import { expect, test } from "vitest";
import { readBuildCommand } from "./build-shortcuts.ts";

const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

test.each([
  ["z", { ctrlKey: true }, "undo"],
  ["Z", { ctrlKey: true, shiftKey: true }, "redo"],
  ["y", { ctrlKey: true }, "redo"],
  ["Enter", { ctrlKey: true }, "submit"],
  ["z", {}, null],
  ["z", { ctrlKey: true, altKey: true }, null],
  ["Enter", { shiftKey: true }, null],
  ["z", { metaKey: true }, null],
] as const)("on a PC %s with %j is %s", (key, modifiers, command) => {
  expect(readBuildCommand({ ...none, key, ...modifiers }, false)).toBe(command);
});

test.each([
  ["z", { metaKey: true }, "undo"],
  ["z", { metaKey: true, shiftKey: true }, "redo"],
  ["Enter", { metaKey: true }, "submit"],
  ["z", { ctrlKey: true }, null],
  ["y", { metaKey: true }, null],
] as const)("on a Mac %s with %j is %s", (key, modifiers, command) => {
  expect(readBuildCommand({ ...none, key, ...modifiers }, true)).toBe(command);
});
