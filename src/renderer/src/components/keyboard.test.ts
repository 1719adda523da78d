import { expect, test } from "vitest";
import { formatKeys } from "./keyboard.ts";

const names = { mod: "Ctrl", alt: "Alt" };

test.each([
  ["mod+K", ["Ctrl", "K"]],
  ["alt+ArrowLeft", ["Alt", "←"]],
  ["Escape", ["Esc"]],
  ["Space", ["Space"]],
  ["shift+?", ["?"]],
  ["j", ["J"]],
])("%s is shown as %j", (keys, shown) => expect(formatKeys(keys, names)).toEqual(shown));
