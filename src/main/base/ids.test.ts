import { expect, test } from "vitest";
import { createCountingIds, createRandomIds } from "./ids.ts";
import type { IdKind } from "./ports.ts";

const prefixes: [IdKind, string][] = [
  ["file", "file-"],
  ["batch", "batch_"],
  ["batch_req", "batch_req_"],
  ["request", "req_"],
  ["completion", "chatcmpl-"],
];

test.each(prefixes)("ids of kind %s begin with %s", (kind, prefix) => {
  expect(createRandomIds().create(kind)).toMatch(new RegExp(`^${prefix}[0-9a-f]{32}$`));
  expect(createCountingIds().create(kind)).toBe(`${prefix}1`);
});

test("random ids differ", () => {
  const ids = createRandomIds();
  const made = Array.from({ length: 2_000 }, () => ids.create("request"));
  expect(new Set(made).size).toBe(2_000);
});

test("counting ids count each kind from 1", () => {
  const ids = createCountingIds();
  expect([ids.create("file"), ids.create("file"), ids.create("batch")]).toEqual(["file-1", "file-2", "batch_1"]);
});
