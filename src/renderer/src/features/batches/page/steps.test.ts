import { expect, test } from "vitest";
import { makeBatch } from "../testing/make-batch.ts";
import { describeSteps } from "./steps.ts";

const created = new Date(2026, 4, 12, 12, 4, 1).getTime();
const none = {
  created,
  inProgress: null,
  finalizing: null,
  completed: null,
  failed: null,
  expires: created + 86_400_000,
  expired: null,
  cancelling: null,
  cancelled: null,
};

function read(batch: Parameters<typeof makeBatch>[0]): string[] {
  return describeSteps(makeBatch(batch)).map(({ word, state, detail }) => [word, state, detail].join(" | "));
}

test("a batch that runs shows what is behind it and what is ahead", () => {
  expect(read({ status: "in_progress", times: { ...none, inProgress: created + 200 } })).toEqual([
    "Checking | past | 12:04:01, 0.2 s",
    "Running | now | since 12:04:01",
    "Wrapping up | ahead | ",
    "Done | ahead | ",
  ]);
});

test("a batch that is done shows how long each step took", () => {
  const times = { ...none, inProgress: created + 200, finalizing: created + 14_200, completed: created + 14_300 };
  expect(read({ status: "completed", times })).toEqual([
    "Checking | past | 12:04:01, 0.2 s",
    "Running | past | 12:04:01, 14 s",
    "Wrapping up | past | 12:04:15, 0.1 s",
    "Done | past | 12:04:15",
  ]);
});

test("a batch whose file did not validate never ran", () => {
  expect(read({ status: "failed", times: { ...none, failed: created + 340 } })).toEqual([
    "Checking | ended | 12:04:01, 0.34 s",
    "Failed | failed | 12:04:01",
  ]);
});

test("a batch that is cancelled ran until the cancel", () => {
  const times = { ...none, inProgress: created + 200, cancelling: created + 9_200 };
  expect(read({ status: "cancelling", times })).toEqual([
    "Checking | past | 12:04:01, 0.2 s",
    "Running | ended | 12:04:01, 9 s",
    "Cancelling | now | since 12:04:10",
    "Cancelled | ahead | ",
  ]);
  expect(read({ status: "cancelled", times: { ...times, cancelled: created + 10_200 } }).slice(2)).toEqual([
    "Cancelling | ended | 12:04:10, 1 s",
    "Cancelled | stopped | 12:04:11",
  ]);
});

test("a batch that is cancelled while being checked never ran", () => {
  const times = { ...none, cancelling: created + 100, cancelled: created + 150 };
  expect(read({ status: "cancelled", times })).toEqual([
    "Checking | ended | 12:04:01, 0.1 s",
    "Cancelling | ended | 12:04:01, 50 ms",
    "Cancelled | stopped | 12:04:01",
  ]);
});

test("a batch that expires ran until then", () => {
  const times = { ...none, inProgress: created + 200, expired: created + 86_400_000 };
  expect(read({ status: "expired", times })[2]).toBe("Expired | stopped | 12:04:01");
});
