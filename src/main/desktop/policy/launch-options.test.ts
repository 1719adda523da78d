import { describe, expect, it } from "vitest";
import { readLaunchOptions } from "./launch-options.ts";

const read = (...args: string[]) => readLaunchOptions(["/opt/electron", ".", ...args]);

describe("readLaunchOptions", () => {
  it("has the latencies of a real model and keeps its data, by default", () => {
    expect(read()).toEqual({ engine: "mock", pace: "realistic", seed: 1, ephemeral: false });
  });

  it("reads its flags in both spellings", () => {
    expect(read("--pace=instant", "--seed", "7", "--data-dir", "/tmp/sheaf", "--ephemeral")).toEqual({
      engine: "mock",
      pace: "instant",
      seed: 7,
      dataDir: "/tmp/sheaf",
      ephemeral: true,
    });
    expect(read("--pace", "250").pace).toBe(250);
  });

  it("leaves the flags of Chromium and of debuggers alone", () => {
    expect(read("--no-sandbox", "--remote-debugging-port=0", "--inspect=0", "-psn_0_1", "--pace=instant").pace).toBe(
      "instant",
    );
  });

  it("reads none where a link started the app", () => {
    expect(read("--data-dir=/tmp/evil", "sheaf://batch/b1", "--pace=fast")).toEqual(read());
  });

  it("says which flag is wrong, and what it expects", () => {
    expect(() => read("--pace=fast")).toThrow("--pace expects instant, realistic or milliseconds");
    expect(() => read("--pace")).toThrow("--pace expects");
    expect(() => read("--data-dir=")).toThrow("--data-dir expects a path");
  });
});
