// Testing a program against the mock server with jest: the server is another process, with a scope for each test.
const { describe, expect, test } = require("@jest/globals");
const { setupSheaf } = require("sheaf/jest");

const sheaf = setupSheaf();

/** The program under test: asks once, with nothing but fetch. */
async function ask(question) {
  const response = await fetch(`${sheaf.baseURL}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${sheaf.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: question }] }),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const { choices } = await response.json();
  return choices[0].message.content;
}

describe("a program that asks a model", () => {
  test("gets the answer that a rule gives", async () => {
    await sheaf.rules.set({ rules: [{ match: { last_user_message: "Hello" }, reply: { text: "Hi." } }] });
    expect(await ask("Hello")).toBe("Hi.");
    expect(await sheaf.requests({ path: "/v1/chat" })).toHaveLength(1);
  });

  test("fails when the server does", async () => {
    await sheaf.faults.set({ failure_rate: 1, statuses: [503] });
    await expect(ask("Hello")).rejects.toThrow("status 503");
  });

  test("sees nothing of the tests before", async () => {
    expect(await sheaf.requests()).toEqual([]);
  });
});
