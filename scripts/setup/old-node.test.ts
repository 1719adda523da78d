import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeOldNode, neededNode } from "./old-node.mjs";
import { inProject } from "./paths.mjs";

test.each(["20.19.0", "20.20.1", "22.12.0", "22.19.0", "23.0.0", "24.1.0", "26.0.0"])("Node %s will do", (version) => {
  expect(describeOldNode(version)).toBeUndefined();
});

test.each(["12.22.0", "18.20.8", "20.18.3", "21.7.0", "22.11.0"])("Node %s is told which one is needed", (version) => {
  expect(describeOldNode(version)).toBe(
    `Sheaf needs Node 20.19, 22.12 or newer, and this is Node ${version}. Install Node 24 from https://nodejs.org, then run the command again.`,
  );
});

test("package.json, README and CONTRIBUTING name the same versions", () => {
  const read = (path: string) => readFileSync(inProject(path), "utf8");
  expect(JSON.parse(read("package.json")).engines.node).toBe(neededNode);
  for (const page of ["README.md", "CONTRIBUTING.md"])
    expect(read(page)).toContain("You need Node 20.19, 22.12 or newer, and npm");
});
