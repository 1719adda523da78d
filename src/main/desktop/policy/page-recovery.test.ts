import { describe, expect, it } from "vitest";
import { afterCrash, describeHang, describeLoadFailure, whyNotLoaded } from "./page-recovery.ts";

describe("afterCrash", () => {
  it("brings the page back by itself, and asks from the third time in a minute on", () => {
    let history: readonly number[] = [];
    const decisions = [0, 10_000, 20_000, 30_000, 95_000].map((now) => {
      const decision = afterCrash(history, now);
      history = decision.history;
      return decision.do;
    });
    expect(decisions).toEqual(["reload", "reload", "ask", "ask", "reload"]);
  });
});

describe("whyNotLoaded", () => {
  const failed = { kind: "failed", code: -6, description: "ERR_FILE_NOT_FOUND", isMainFrame: true } as const;
  it.each([
    [failed, "ERR_FILE_NOT_FOUND"],
    [{ ...failed, description: "what anybody wrote" }, "code -6"],
    [{ ...failed, isMainFrame: false }, null],
    [{ ...failed, code: -3, description: "ERR_ABORTED" }, null],
    [{ kind: "answered", status: 500 }, "status 500"],
    [{ kind: "answered", status: 404 }, "status 404"],
    [{ kind: "answered", status: 200 }, null],
    // As Electron reports a navigation without HTTP.
    [{ kind: "answered", status: -1 }, null],
  ] as const)("of %j is %s", (load, reason) => {
    expect(whyNotLoaded(load)).toBe(reason);
  });

  it("is asked about, with the report where there is one; who closes the question quits", () => {
    const question = describeLoadFailure("ERR_FAILED", true);
    expect(question.detail).toContain("The reason is: ERR_FAILED. Running batches go on");
    expect(
      [question, describeLoadFailure("ERR_FAILED", false)].map(({ buttons }) => buttons.map(([label]) => label)),
    ).toEqual([
      ["Try again", "Show report", "Quit"],
      ["Try again", "Quit"],
    ]);
    expect(question.closed).toBe("quit");
  });
});

describe("describeHang", () => {
  it.each([
    [null, "Sheaf's window does not respond.", ["Wait", "Load again"], ["wait", "reload"]],
    [
      "close",
      "Sheaf's window does not respond, and so it can't be closed.",
      ["Wait", "Close anyway"],
      ["wait", "leave"],
    ],
    ["quit", "Sheaf's window does not respond, and so it can't quit.", ["Wait", "Quit anyway"], ["wait", "leave"]],
  ] as const)("while it is about to %s", (ending, message, labels, answers) => {
    const { buttons, closed, ...question } = describeHang(ending);
    expect(question).toMatchObject({ message, detail: expect.stringContaining("may not be saved yet") });
    expect(buttons).toEqual(labels.map((label, at) => [label, answers[at]]));
    expect(closed).toBe("wait");
  });
});
