import { expect, test } from "vitest";
import { findSecrets } from "./find-secrets.ts";

const secrets = { it: "sk-sheaf-Zm9v-YmFy_0123456789" };

test.each(["", "x", "xx"])("a secret is found in each form that it may have, behind '%s'", (before) => {
  const content = `{"a":"${before}${secrets.it}tail"}`;
  expect(findSecrets(content, secrets)).toEqual(["it, as it is", "it, in a URL"]);
  expect(findSecrets(Buffer.from(content, "utf16le"), secrets)).toEqual(["it, in UTF-16"]);
  for (const encoding of ["hex", "base64", "base64url"] as const) {
    expect(findSecrets(Buffer.from(content).toString(encoding), secrets), encoding).not.toEqual([]);
  }
});

test("what is no secret is not found", () => {
  expect(findSecrets("sk-sheaf-Zm9v-YmFy_012345678", secrets)).toEqual([]);
});
