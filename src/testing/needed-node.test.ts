import { expect, test } from "vitest";
import { checkNode } from "./needed-node.ts";

test.each(["22.19.0", "22.20.1", "24.0.0", "26.1.0"])("Node %s is new enough", (version) => {
  expect(() => checkNode(version)).not.toThrow();
});

test.each(["16.20.2", "20.19.5", "22.18.0"])("Node %s is refused in one sentence", (version) => {
  expect(() => checkNode(version)).toThrow(/^sheaf needs Node 22\.19 or newer: this is Node [\d.]+\.$/);
});
