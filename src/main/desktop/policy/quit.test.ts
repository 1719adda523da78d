import { describe, expect, it } from "vitest";
import { decideQuit, describeClosing } from "./quit.ts";
import type { RunningBatch } from "./running-batch.ts";

const batch = (name: string, change: Partial<RunningBatch> = {}): RunningBatch => ({
  id: name,
  name,
  total: 500,
  done: 50,
  failed: 0,
  asksItself: true,
  paidAt: null,
  ...change,
});
const reviews = batch("Reviews");
const minimized = { platform: "linux", isInTray: false } as const;
const tray = { ...minimized, isInTray: true };

describe("decideQuit", () => {
  it.each(["user", "last_window"] as const)("ends at once while nothing runs (%s)", (reason) => {
    expect(decideQuit([], reason, minimized)).toEqual({ do: "quit", grace: 0, limit: 5_000 });
  });

  it("never asks at a shutdown, which gets three seconds", () => {
    for (const running of [[], [reviews]]) {
      expect(decideQuit(running, "shutdown", tray)).toEqual({ do: "quit", grace: 2_000, limit: 3_000 });
    }
  });

  it("lets the window go on macOS, where the app stays", () => {
    expect(decideQuit([reviews], "last_window", { platform: "darwin", isInTray: false })).toEqual({ do: "stay" });
    expect(decideQuit([reviews], "user", { platform: "darwin", isInTray: false }).do).toBe("ask");
  });

  it.each([
    [
      "one batch on this computer",
      [reviews],
      minimized,
      "“Reviews” is running, with 50 of 500 lines done.",
      "Keep Sheaf running in a minimized window, or quit: it goes on at the next start.",
    ],
    [
      "one that is being checked",
      [batch("Reviews", { total: 0, done: 0 })],
      tray,
      "“Reviews” is running.",
      "Keep Sheaf running in the tray, or quit: it goes on at the next start.",
    ],
    [
      "calls that are paid",
      [reviews, batch("Tickets", { paidAt: "Groq" }), batch("More tickets", { paidAt: "Groq" })],
      minimized,
      "3 batches are running.",
      "Keep Sheaf running in a minimized window, or quit: they go on at the next start. Calls to Groq that are under way are paid for: their answers are awaited for up to a minute.",
    ],
    [
      "a batch at a service that is paid",
      [batch("Reviews", { asksItself: false, paidAt: "OpenAI" })],
      minimized,
      "“Reviews” is running, with 50 of 500 lines done.",
      "Keep Sheaf running in a minimized window, or quit: it goes on at the next start. OpenAI goes on with what it has, and is paid for it; the answers are fetched at the next start.",
    ],
  ])("asks about %s", (_what, running, setting, message, detail) => {
    for (const reason of ["user", "last_window"] as const) {
      expect(decideQuit(running, reason, setting)).toMatchObject({ do: "ask", question: { message, detail } });
    }
  });
});

describe("describeClosing", () => {
  const detail = (...given: Parameters<typeof describeClosing>) => describeClosing(...given).detail;
  const kept = "Quit now keeps every answer that is here. Requests without one are sent again at the next start.";
  const storing = "It stores the last answers, which takes a few seconds.";

  it.each([
    [[reviews], 58_200, `It waits up to 59 s for answers to requests of “Reviews” that are already sent. ${kept}`],
    [
      [
        batch("Reviews", { paidAt: "Groq" }),
        batch("Tickets", { paidAt: "Groq" }),
        batch("Elsewhere", { asksItself: false, paidAt: "OpenAI" }),
      ],
      60_000,
      `It waits up to 60 s for answers to requests of 2 batches that are already sent. ${kept} Groq may bill those twice.`,
    ],
    [[], 1_000, `It waits up to 1 s for answers to requests that are already sent. ${kept}`],
    [
      [reviews],
      0,
      `${storing} After Quit now, requests whose answers are not stored yet are sent again at the next start.`,
    ],
    [
      [batch("Reviews", { paidAt: "Groq" })],
      0,
      `${storing} After Quit now, requests whose answers are not stored yet are sent again at the next start. Groq may bill those twice.`,
    ],
  ] as const)("says what it waits for, and what Quit now does", (running, left, expected) => {
    expect(detail(running, { left, isStartedAgain: false })).toBe(expected);
    expect(detail(running, { left, isStartedAgain: true })).toBe(
      `${expected} Start Sheaf again once it has closed, also for files and links that you opened now.`,
    );
  });
});
