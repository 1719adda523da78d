import { expect, test } from "vitest";
import { writeSnippets } from "./write-snippets.ts";

const url = "http://127.0.0.1:4747";
const key = "sk-sheaf-0123456789";

test.each(writeSnippets(url, null))("$name takes the key from the environment", ({ code, note }) => {
  expect(code).toContain(`${url}/v1/chat/completions`);
  expect(code).toContain("SHEAF_API_KEY");
  expect(note).toContain("SHEAF_API_KEY");
});

test.each(writeSnippets(url, key))("$name has the key in it when that is asked for", ({ code, note }) => {
  expect(code).toContain(key);
  expect(code + note).not.toContain("SHEAF_API_KEY");
});
