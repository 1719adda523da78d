import { expect, test } from "vitest";
import { createMask } from "./mask.ts";

const mask = createMask(() => ["sk-sheaf-0123456789"]);

test("a body of the longest that is kept is shown whole", () => {
  const list = JSON.parse(`[${"1,".repeat(499_998)}1]`);
  expect(mask.json(list)).toEqual(list);
});

test("a value without end is cut after some values, with a sign where it was cut", () => {
  const node: Record<string, unknown> = { name: "sk-sheaf-0123456789" };
  node.one = [node, node];
  node.other = { node, list: Array.from({ length: 50 }, () => node) };
  const text = JSON.stringify(mask.json(node));
  expect(text).not.toContain("0123456789");
  expect(text).toContain("…");
  expect(text.length).toBeLessThan(60_000_000);
  const long = mask.json(Array.from({ length: 700_000 }, () => 0)) as unknown[];
  expect(long.length).toBeLessThan(700_000);
  expect(long.at(-1)).toBe("…");
});

test("a key is masked where it stands, and in the fields that hold one", () => {
  const body = { "api-key": "abc", note: "it is sk-sheaf-0123456789", token: ["a", "b"], max_tokens: 5 };
  expect(mask.json(body)).toEqual({ "api-key": "***", note: "it is ***", token: ["***", "***"], max_tokens: 5 });
  expect(mask.query("key=abc&x=1")).toBe("key=***&x=1");
  expect(mask.headers({ cookie: "a=b", accept: "*/*" })).toEqual({ cookie: "***", accept: "*/*" });
});
