import { describe, expect, it } from "vitest";
import { readFrames, relaunchArgs } from "./crash.ts";

describe("relaunchArgs", () => {
  it.each([
    [[], []],
    [
      ["--data-dir", "/data", "a.csv"],
      ["--data-dir", "/data"],
    ],
    [
      ["--data-dir=/data", "--pace=instant", "sheaf://batch/b1"],
      ["--data-dir=/data", "--pace=instant"],
    ],
    [["--ephemeral", "/home/ada/a.csv"], ["--ephemeral"]],
    [["--no-sandbox", "--inspect=0", "."], []],
  ])("keeps of %j the flags alone", (args, kept) => {
    expect(relaunchArgs(args)).toEqual([...kept, "--relaunched"]);
  });

  it("starts again once", () => {
    expect(relaunchArgs(["--data-dir=/data", "--relaunched"])).toBeNull();
  });
});

describe("readFrames", () => {
  it("has functions and places, without folders", () => {
    const error = new Error("x");
    error.stack = [
      "Error: x",
      "    at readRows (file:///home/ada/secret/out/main/index.js?load=1:10:5)",
      "    at async Server.open [as start] (/opt/Sheaf/resources/app.asar/out/main/chunk-3f.js:1:2)",
      "    at C:\\Users\\ada\\index.cjs:3:4",
      "    at process.processTicksAndRejections (node:internal/process/task_queues:103:5)",
      "    at new Promise (<anonymous>)",
    ].join("\n");
    expect(readFrames(error)).toEqual([
      "readRows index.js:10:5",
      "async Server.open chunk-3f.js:1:2",
      "(anonymous) index.cjs:3:4",
      "process.processTicksAndRejections node:internal/process/task_queues:103:5",
    ]);
  });

  it("has nothing of a message, also where that looks like frames", () => {
    const error = new TypeError("key sk-123 of ada\n    at secret (file:///secret/plan.js:1:1)\nmore");
    const text = JSON.stringify(readFrames(error));
    expect(readFrames(error).length).toBeGreaterThan(0);
    for (const word of ["sk-123", "ada\\n", "secret", "plan.js", "more"]) expect(text).not.toContain(word);
    error.stack = `changed ${error.stack}`;
    expect(readFrames(error)).toEqual([]);
    expect(readFrames("a string")).toEqual([]);
  });
});
